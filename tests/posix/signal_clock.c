// A signal handler that interrupts a wait with a time limit takes no time, whenever that limit
// passes: others that wait longer than it runs see what it did.
//
// Options: --clock=prompt
// Result: correct.  -DSLEEP it sleeps itself, for a shorter time: correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static sem_t sem;
static atomic_int handled, over;

static void handle(int signal)
{
    (void)signal;
#ifdef SLEEP
    nanosleep(&(struct timespec){1, 0}, NULL);
#endif
    handled = 1;
}

static void *work(void *arg)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    assert(sem_timedwait(&sem, &until) == -1 && errno == ETIMEDOUT);
    over = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handle);
    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    nanosleep(&(struct timespec){5, 0}, NULL);
    assert(handled && !over);
    pthread_join(t, NULL);
    return 0;
}
