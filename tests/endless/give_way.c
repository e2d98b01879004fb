// Two threads that take two locks in different orders step back if they don't get the second
// one. They may do so for ever, but need not: an end can always be reached.  Result: correct.
// -DKEEP does not step back, but tries on: endless run.
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *arg)
{
    int first = arg != NULL;
    pthread_mutex_lock(&lock[first]);
    while (pthread_mutex_trylock(&lock[!first]) != 0) {
#ifndef KEEP
        pthread_mutex_unlock(&lock[first]);
        pthread_mutex_lock(&lock[first]);
#endif
    }
    pthread_mutex_unlock(&lock[!first]);
    pthread_mutex_unlock(&lock[first]);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, &thread);
    work(NULL);
    pthread_join(thread, NULL);
}
