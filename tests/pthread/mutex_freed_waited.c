// The memory of a mutex is freed while another thread waits for it.
// Result: memory error.
// Expect: work at mutex_freed_waited.c:@wait
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t *lock;

static void *work(void *arg)
{
    pthread_mutex_lock(lock); // @wait
    pthread_mutex_unlock(lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, NULL);
    pthread_mutex_lock(lock);
    pthread_create(&t, NULL, work, NULL);
    sched_yield();
    free(lock);
    pthread_join(t, NULL);
    return 0;
}
