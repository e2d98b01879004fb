// Two threads wait on one condition variable with different mutexes.
// Result: pthread misuse.
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *work(void *arg)
{
    pthread_mutex_t *mine = arg;
    pthread_mutex_lock(mine);
    pthread_cond_wait(&ready, mine);
    pthread_mutex_unlock(mine);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, &lock[0]);
    work(&lock[1]);
    pthread_join(t, NULL);
    return 0;
}
