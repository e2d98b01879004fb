/* A bounded buffer with one condition variable for both sides, and pthread_cond_signal: a
 * producer can wake a producer, and everybody waits for ever.
 * Result: deadlock. */
#include <pthread.h>

enum { SLOTS = 1, PRODUCERS = 3, CONSUMERS = 3, ITEMS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int slot[SLOTS], used;

static void *produce(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (used == SLOTS)
            pthread_cond_wait(&changed, &lock);
        slot[used++] = i;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *consume(void *arg)
{
    int sum = 0;
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (used == 0)
            pthread_cond_wait(&changed, &lock);
        sum += slot[--used];
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return sum < 0 ? NULL : arg;
}

int main(void)
{
    pthread_t producer[PRODUCERS], consumer[CONSUMERS];
    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&producer[i], NULL, produce, NULL);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumer[i], NULL, consume, NULL);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producer[i], NULL);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(consumer[i], NULL);
    return 0;
}
