// A variable is loaded twice; whether somebody can write it in between is not always easy to
// see.  Result: correct.
// -DDIRECT another thread writes it: assertion violation.
// -DADD adds to it: assertion violation.
// -DEXCHANGE exchanges it: assertion violation.
// -DPLAIN plainly: data race.
// -DCOPY as bytes: data race.
// -DCALL in a function that it calls: assertion violation.
// -DPOINTER in one that it calls through a table: assertion violation.
// -DPARAMETER in one that gets the address: assertion violation.
// -DINNER in one that gets it from one that gets it: assertion violation.
// -DELEMENT as an element of an array: assertion violation.
// -DNUMBER by an address that is computed as a number: assertion violation.
// -DCODE in a function whose address is: assertion violation.
// -DSTORED by an address from memory: assertion violation.
// -DRETURNED by an address that a function returns: assertion violation.
// -DPASSED by an address that the thread is given: assertion violation.
// -DLATER by a thread that is made afterwards: assertion violation.
// -DCHILD by a thread that another one makes: assertion violation.
// -DJUMP after a longjmp: assertion violation.
// -DKEY in the destructor of a key: assertion violation.
// -DCLEANUP in a clean-up handler: assertion violation.
// -DCANCEL in a clean-up handler, when it is cancelled: assertion violation.
// -DEXIT in an exit handler: assertion violation.
// -DSIGNAL in a handler of a signal: assertion violation.
// -DHANDLER it is interrupted by a signal just before: assertion violation.
// -DSPIN nobody writes it, but another thread fails while it is waited for: assertion
// violation. -DLONG nobody writes it, and it is loaded often: correct.
// (With HANDLER the signal may come too late, and the reader waits for ever.)
// Options: --endless=allow
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int value[2], other, leave;

static void *reader(void *arg)
{
    (void)arg;
#ifdef SPIN
    while (atomic_load(&value[0]) == 0)
        ;
#endif
#ifdef LONG
    int sum = 0;
    for (int k = 0; k < 1000; k++)
        sum += atomic_load(&value[0]);
    assert(sum == 0);
#endif
#ifdef HANDLER
    while (atomic_load(&other) == 0)
        ;
#endif
    int first = atomic_load(&value[0]);
#ifdef HANDLER
    atomic_store(&leave, 1);
#endif
    int second = atomic_load(&value[0]);
    assert(first == second);
    return NULL;
}

static inline void set(void)
{
    atomic_store(&value[0], 1);
}

__attribute__((noinline)) static void put(atomic_int *at)
{
    atomic_load(&other);
    atomic_store(at, 1);
}

__attribute__((noinline)) static void pass(atomic_int *at, int by)
{
    put(at + by);
}

#ifdef RETURNED
__attribute__((noinline)) static atomic_int *where(void)
{
    return &value[0];
}
#endif

#ifdef POINTER
static void nothing(void)
{
}
static void (*const table[])(void) = {nothing, set};
#endif
#ifdef STORED
static atomic_int *address = &value[0];
#endif

static void *writer(void *arg)
{
    (void)arg;
    atomic_load(&other);
#if defined DIRECT || defined LATER || defined CHILD || defined HANDLER
    atomic_store(&value[0], 1);
#elif defined ADD
    atomic_fetch_add(&value[0], 1);
#elif defined EXCHANGE
    int zero = 0;
    atomic_compare_exchange_strong(&value[0], &zero, 1);
#elif defined PLAIN
    *(int *)&value[0] = 1;
#elif defined COPY
    memcpy(&value[0], &(int){1}, sizeof(int));
#elif defined CALL
    set();
#elif defined POINTER
    table[atomic_load(&other) + 1]();
#elif defined PARAMETER
    put(&value[0]);
#elif defined INNER
    pass(&value[1], -1);
#elif defined ELEMENT
    atomic_store(&value[atomic_load(&other)], 1);
#elif defined STORED
    atomic_store(address, 1);
#elif defined NUMBER
    unsigned long below = (unsigned long)value + (unsigned long)-4;
    atomic_store((atomic_int *)(below + 4 + 4 * (unsigned long)atomic_load(&other)), 1);
#elif defined CODE
    unsigned long below = (unsigned long)set + (unsigned long)-1;
    ((void (*)(void))(below + (unsigned long)(1 + atomic_load(&other))))();
#elif defined RETURNED
    atomic_store(where(), 1);
#elif defined PASSED
    atomic_store((atomic_int *)arg, 1);
#elif defined SPIN
    atomic_store(&other, 1);
    assert(atomic_load(&other) == 0);
#endif
    return NULL;
}

#ifdef CHILD
static void *maker(void *arg)
{
    pthread_t child;
    atomic_load(&other);
    pthread_create(&child, NULL, writer, arg);
    pthread_join(child, NULL);
    return NULL;
}
#endif

#ifdef JUMP
static void *jumper(void *arg)
{
    jmp_buf start;
    (void)arg;
    if (setjmp(start)) {
        atomic_store(&value[0], 1);
        return NULL;
    }
    atomic_load(&other);
    longjmp(start, 1);
}
#endif

static void clean_up(void *arg)
{
    (void)arg;
    atomic_store(&value[0], 1);
}

#if defined CLEANUP || defined CANCEL
static void *cleaner(void *arg)
{
    pthread_cleanup_push(clean_up, arg);
    atomic_load(&other);
#ifdef CLEANUP
    pthread_exit(NULL);
#endif
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return NULL;
}
#endif

#ifdef KEY
static pthread_key_t key;

static void *owner(void *arg)
{
    (void)arg;
    pthread_setspecific(key, "");
    atomic_load(&other);
    return NULL;
}
#endif

#ifdef EXIT
static void at_exit(void)
{
    clean_up(NULL);
}
#endif

#if defined SIGNAL || defined HANDLER
static void handle(int number)
{
    (void)number;
#ifdef SIGNAL
    clean_up(NULL);
#else
    atomic_store(&other, 1);
    while (atomic_load(&leave) == 0)
        ;
#endif
}
#endif

int main(void)
{
    pthread_t a, b;
    void *(*second)(void *) = writer;
    (void)clean_up;
#ifdef KEY
    pthread_key_create(&key, clean_up);
    second = owner;
#endif
#ifdef JUMP
    second = jumper;
#endif
#ifdef CHILD
    second = maker;
#endif
#if defined CLEANUP || defined CANCEL
    second = cleaner;
#endif
#ifdef EXIT
    atexit(at_exit);
#endif
#if defined SIGNAL || defined HANDLER
    signal(SIGUSR1, handle);
#endif
    pthread_create(&a, NULL, reader, NULL);
#ifdef LATER
    atomic_load(&other);
#endif
#ifdef PASSED
    pthread_create(&b, NULL, second, &value[0]);
#else
    pthread_create(&b, NULL, second, NULL);
#endif
#ifdef CANCEL
    pthread_cancel(b);
#endif
#if defined SIGNAL || defined HANDLER
    pthread_kill(b, SIGUSR1);
#endif
#ifdef EXIT
    pthread_join(b, NULL);
    exit(0);
#endif
    pthread_join(b, NULL);
    pthread_join(a, NULL);
    return 0;
}
