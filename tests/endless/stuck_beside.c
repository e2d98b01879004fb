// Two threads wait for each other's locks while a third one goes on until they have ended.
// Result: endless run.
// -DORDERED takes the locks in one order: correct.
// Expect: waits to lock lock\[.\], held by thread
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int ended;

static void *work(void *arg)
{
#ifdef ORDERED
    int first = 0;
    (void)arg;
#else
    int first = arg != NULL;
#endif
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[!first]);
    pthread_mutex_unlock(&lock[!first]);
    pthread_mutex_unlock(&lock[first]);
    ended++;
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, work, NULL);
    pthread_create(&thread[1], NULL, work, thread);
    while (ended < 2)
        sched_yield();
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
}
