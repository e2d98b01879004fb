// A variable that one thread accesses atomically, by builtins, and another one plainly, always
// later, but not in happens-before, as a relaxed flag is between them.  Result: data race.
// -DSTORES, the first access is a store: data race.
// -DREADS, both only read: correct.
// -DSTORED, a plain read after a store: data race.
// -DVOLATILE, the later access is volatile: data race.
// -DSECTION, a plain read in an atomic section, after a store: data race.
// -DDETACHED, nobody joins the first thread: data race.
// -DHEAP, the variable is on the heap: data race.
// -DACQUIRED, the flag passes on that the access was there: correct.
// -DPASSED, or the variable itself, by a release store that the other thread acquires: correct.
// -DJOINED, so does the end of the first thread: correct.
// -DTRIES, until it is told to set the flag, the first thread exchanges the value for the same
// one, which is left out in other executions: data race.
// Options: --memory=c11
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef ACQUIRED
enum { STORE = memory_order_release, LOAD = memory_order_acquire };
#else
enum { STORE = memory_order_relaxed, LOAD = memory_order_relaxed };
#endif

static int global = 1;
static int *place = &global;
static atomic_int flag, stop;

static void *first(void *arg)
{
#ifdef PASSED
    __atomic_store_n(place, 2, __ATOMIC_RELEASE);
#elif defined STORES || defined STORED || defined SECTION
    __atomic_store_n(place, 2, __ATOMIC_RELAXED);
#elif defined TRIES
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        __atomic_exchange_n(place, 1, __ATOMIC_ACQ_REL);
#else
    (void)__atomic_load_n(place, __ATOMIC_RELAXED);
#endif
    atomic_store_explicit(&flag, 1, STORE);
#ifdef SECTION /* the end of a thread comes before a section that follows it */
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    }
#endif
    return arg;
}

static int second(void)
{
#ifdef PASSED
    if (__atomic_load_n(place, __ATOMIC_ACQUIRE) == 2)
        *place = 3;
    return 0;
#elif defined VOLATILE
    *(volatile int *)place = 3;
    return 0;
#elif defined SECTION
    divm_atomic_begin();
    int found = *place;
    divm_atomic_end();
    return found;
#elif defined READS || defined STORED || defined TRIES
    return *place;
#else
    *place = 3;
    return 0;
#endif
}

int main(void)
{
    pthread_t thread;
    int found = 0;
#ifdef HEAP
    place = malloc(sizeof *place);
    if (!place)
        abort();
    *place = 1;
#endif
    pthread_create(&thread, NULL, first, NULL);
#ifndef SECTION
    atomic_store_explicit(&stop, 1, memory_order_relaxed);
#endif
#ifdef JOINED
    pthread_join(thread, NULL);
#elif defined DETACHED
    pthread_detach(thread);
#endif
    if (atomic_load_explicit(&flag, LOAD))
        found = second();
#ifdef SECTION
    atomic_store_explicit(&stop, 1, memory_order_relaxed);
#endif
#if !defined DETACHED && !defined JOINED
    pthread_join(thread, NULL);
#endif
#ifdef HEAP
    free(place);
#endif
    return found > 3;
}
