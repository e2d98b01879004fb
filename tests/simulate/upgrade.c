/* Readers of a cache that find it old upgrade their lock while they hold it for reading.
 * Result: deadlock. */
#include <pthread.h>

enum { READERS = 6, ROUNDS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, fresh;

static void begin_read(void)
{
    pthread_mutex_lock(&lock);
    readers++;
    pthread_mutex_unlock(&lock);
}

static void end_read(void)
{
    pthread_mutex_lock(&lock);
    readers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* Waits until there is no other reader. */
static void upgrade(int round)
{
    pthread_mutex_lock(&lock);
    while (readers > 1)
        pthread_cond_wait(&changed, &lock);
    fresh = round;
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
    for (int i = 1; i <= ROUNDS; i++) {
        begin_read();
        pthread_mutex_lock(&lock);
        int old = fresh < i;
        pthread_mutex_unlock(&lock);
        if (old)
            upgrade(i);
        end_read();
    }
    return arg;
}

int main(void)
{
    pthread_t thread[READERS];
    for (int i = 0; i < READERS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
