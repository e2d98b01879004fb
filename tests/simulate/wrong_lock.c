/* Ten threads update a counter under a lock, and one of them under another lock.
 * Result: data race. */
#include <pthread.h>

enum { THREADS = 10, ROUNDS = 5 };

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *arg)
{
    pthread_mutex_t *lock = arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(lock);
        counter++;
        pthread_mutex_unlock(lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, count, i == THREADS / 2 ? &wrong : &right);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
