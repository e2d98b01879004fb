// The memory of a mutex is freed while another thread may still want it.
// Result: memory error or data race.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *lock;

static void *work(void *arg)
{
    pthread_mutex_lock(lock);
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
    free(lock);
    pthread_join(t, NULL);
    return 0;
}
