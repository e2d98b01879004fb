// A signal may end a wait for a semaphore, or only run its handler.  Result: correct.
// -DBUG=1 claims that sem_wait never fails, -DBUG=2 that it always does: assertion
// violation.
// -DRESTART has the call go on: correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#ifndef BUG
#define BUG 0
#endif

static sem_t sem;

static void handle(int signal)
{
    (void)signal;
}

static void *work(void *arg)
{
    int result = sem_wait(&sem);
    assert(result == 0 || errno == EINTR);
#ifdef RESTART
    assert(result == 0);
#endif
    assert(result ? BUG != 1 : BUG != 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct sigaction action = {.sa_handler = handle};
#ifdef RESTART
    action.sa_flags = SA_RESTART;
#endif
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    sem_post(&sem);
    pthread_join(t, NULL);
    return 0;
}
