// pthread_join, sem_wait and sleep are cancellation points; a thread whose joiner is
// cancelled can still be joined.  Result: correct.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t never;

static void *wait_for_ever(void *arg)
{
    sem_wait(&never);
    return arg;
}

static void *join(void *arg)
{
    pthread_join(*(pthread_t *)arg, NULL);
    return arg;
}

static void *sleep_on(void *arg)
{
    for (;;)
        sleep(1);
    return arg;
}

static void stop(pthread_t t)
{
    void *result;
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
}

int main(void)
{
    pthread_t waiter, joiner, sleeper;
    sem_init(&never, 0, 0);
    pthread_create(&waiter, NULL, wait_for_ever, NULL);
    pthread_create(&joiner, NULL, join, &waiter);
    stop(joiner);
    stop(waiter);
    pthread_create(&sleeper, NULL, sleep_on, NULL);
    stop(sleeper);
    assert(sem_destroy(&never) == 0);
    return 0;
}
