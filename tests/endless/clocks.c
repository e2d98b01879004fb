// Waits until a clock shows another second, and gives way meanwhile.  Clocks stand still, but
// time passes: no endless run.  Result: correct. -DCOARSE: correct. -DREALTIME: correct.
// -DOF_DAY: correct. -DTIME: correct. -DC11: correct. -DTIMES: correct. -DUSAGE: correct.
// -DTAKEN: correct. -DBESIDE: another thread waits for who waits for the clock: correct.
// -DFOR_FLAG: the clock is one of two ways out, and nobody takes the other: correct.
// -DASKED_ONCE does not look at the clock again: endless run. -DBEFORE looks at the clock, and
// waits for what nobody does: endless run.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static atomic_int flag;

static long now(void)
{
#if defined OF_DAY
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec;
#elif defined TIMES
    struct tms t;
    return times(&t);
#elif defined USAGE
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_utime.tv_sec;
#elif defined TAKEN
    return clock();
#elif defined TIME
    return time(NULL);
#elif defined C11
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return t.tv_sec;
#else
#if defined COARSE
    clockid_t clock = CLOCK_MONOTONIC_COARSE;
#elif defined REALTIME
    clockid_t clock = CLOCK_REALTIME;
#else
    clockid_t clock = CLOCK_MONOTONIC;
#endif
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec;
#endif
}

static void *work(void *arg)
{
    long end = now() + 1;
#if defined ASKED_ONCE
    for (long at = now(); at < end;)
        sched_yield();
#elif defined BEFORE
    while (!flag && end)
        sched_yield();
#elif defined FOR_FLAG
    while (!flag && now() < end)
        sched_yield();
#else
    while (now() < end)
        sched_yield();
#endif
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef BESIDE
    while (!flag)
        sched_yield();
#endif
    pthread_join(thread, NULL);
}
