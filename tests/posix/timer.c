// A timer of real time is an alarm: it rings at any moment, or is taken back before.  Nobody
// but root sets the clock.
//
// Result: correct.  -DMISSED claims that it does not ring: assertion violation.
// -DVIRTUAL: refused.  -DAGAIN: refused.  -DRACE: data race.
// Expect-VIRTUAL: divm does not support the system call setitimer, but for timers of real time that ring once
// Expect-AGAIN: divm does not support the system call setitimer
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rung;
static struct itimerval timer = {.it_value = {1, 0}}, old;

static void handle(int signal)
{
    (void)signal;
    rung = 1;
}

static void *write_value(void *arg)
{
    timer.it_value.tv_usec = 1;
    return arg;
}

static void clocks(void)
{
    struct timespec now = {0, 0}, wrong = {0, 1000000000};
    struct timeval then = {0, 0};
    errno = 0;
    assert(clock_settime(CLOCK_REALTIME, &now) == -1 && errno == EPERM);
    assert(clock_settime(CLOCK_REALTIME, &wrong) == -1 && errno == EINVAL);
    assert(clock_settime(CLOCK_MONOTONIC, &now) == -1 && errno == EINVAL);
    assert(settimeofday(&then, NULL) == -1 && errno == EPERM);
    assert(stime(&now.tv_sec) == -1 && errno == EPERM);
}

int main(void)
{
    signal(SIGALRM, handle);
    clocks();
#ifdef RACE
    pthread_t t;
    pthread_create(&t, NULL, write_value, NULL);
#else
    (void)write_value;
#endif
    assert(setitimer(ITIMER_REAL, &timer, &old) == 0);
    assert(old.it_value.tv_sec == 0 && old.it_value.tv_usec == 0);
    assert(getitimer(ITIMER_REAL, &old) == 0);
    assert(rung || old.it_value.tv_sec == 1);
#ifdef MISSED
    assert(!rung);
#endif
    timer.it_value.tv_sec = 0;
    assert(setitimer(ITIMER_REAL, &timer, &old) == 0);
    assert(rung == (old.it_value.tv_sec == 0));
    assert(getitimer(ITIMER_VIRTUAL, &old) == 0 && old.it_value.tv_sec == 0);
    assert(setitimer(3, &timer, NULL) == -1 && errno == EINVAL);
    assert(ualarm(1000, 0) == 0);
    ualarm(0, 0);
#ifdef VIRTUAL
    setitimer(ITIMER_PROF, &timer, NULL);
#elif defined AGAIN
    ualarm(1000, 1000);
#endif
    return 0;
}
