// What a variable is loaded for is told to another thread between two loads, and only then can
// it be written; or the thread is interrupted there.  Result: assertion violation.
// -DEXIT in an exit handler, after exit: assertion violation.
// -DQUICK in one of quick_exit: assertion violation.
// -DCONSTRUCTOR in main, while a constructor waits: assertion violation.
// -DRACE in an exit handler, plainly: data race.
// -DINTERRUPTED by a thread that was interrupted just before: assertion violation.
// -DINNER in a function that gets the address, interrupted: assertion violation.
// -DSTAGE a signal comes where nobody can write: assertion violation.
// -DCANCEL a thread is cancelled where nobody can write: memory error.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value, other;
static atomic_int go;
#ifdef STAGE
static int stage;
#endif

static void *reader(void *arg)
{
#if defined INTERRUPTED || defined INNER
    if (atomic_load(&other) == 0)
        return arg;
#endif
    int first = atomic_load(&value);
#if !defined INTERRUPTED && !defined INNER
    atomic_store(&go, 1);
#endif
    int second = atomic_load(&value);
#ifndef RACE
    assert(first == second);
#endif
    return arg;
}

#if !defined STAGE && !defined CANCEL && !defined INTERRUPTED && !defined INNER
static void wait_for_reader(void)
{
    while (atomic_load(&go) != 1)
        ;
}
#endif

#if defined CONSTRUCTOR
static pthread_t early;

__attribute__((constructor)) static void start(void)
{
    pthread_create(&early, NULL, reader, NULL);
    wait_for_reader();
}

int main(void)
{
    atomic_store(&value, 1);
    pthread_join(early, NULL);
    return 0;
}
#elif defined INTERRUPTED || defined INNER
static void handle(int number)
{
    (void)number;
    atomic_store(&other, 1);
    atomic_load(&go);
    atomic_store(&go, 2);
    atomic_store(&other, 0);
}

__attribute__((noinline)) static void put(atomic_int *at)
{
    atomic_store(at, 1);
}

static void *writer(void *arg)
{
#ifdef INNER
    put(&value);
#else
    (void)put;
    atomic_store(&value, 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    signal(SIGUSR1, handle);
    pthread_create(&b, NULL, writer, NULL);
    pthread_kill(b, SIGUSR1);
    pthread_create(&a, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
#elif defined STAGE || defined CANCEL
#ifdef STAGE
static void handle(int number)
{
    (void)number;
    assert(stage != 1);
}
#endif

static void *victim(void *arg)
{
#ifdef CANCEL
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    atomic_store(&go, 1);
    int *p = malloc(sizeof *p);
    *p = atomic_load(&value);
    free(p);
#else
    atomic_store(&go, 1);
    stage = 1;
    atomic_load(&value);
    stage = 2;
#endif
    atomic_store(&go, 2);
    return arg;
}

int main(void)
{
    pthread_t a;
    (void)reader;
#ifdef STAGE
    signal(SIGUSR1, handle);
#endif
    pthread_create(&a, NULL, victim, NULL);
    while (atomic_load(&go) == 0)
        ;
#ifdef CANCEL
    pthread_cancel(a);
#else
    pthread_kill(a, SIGUSR1);
#endif
    pthread_join(a, NULL);
    return 0;
}
#else
static void at_exit(void)
{
#ifdef RACE
    *(int *)&value = 1;
    atomic_load(&other);
#else
    atomic_store(&value, 1);
#endif
}

int main(void)
{
    pthread_t a;
#ifdef QUICK
    at_quick_exit(at_exit);
#else
    atexit(at_exit);
#endif
    pthread_create(&a, NULL, reader, NULL);
    wait_for_reader();
#ifdef QUICK
    quick_exit(0);
#elif defined EXIT
    exit(0);
#endif
    return 0;
}
#endif
