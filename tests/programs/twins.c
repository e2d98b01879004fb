// Threads that begin alike: states that differ in which of them is where are one, unless it
// matters.  Result: correct.
// Expect: 37 states
// -DLAST main knows which handle is whose, and who was last: assertion violation.
// -DFIRST the first one of them was the one that was created last: assertion violation.
// -DNUMBER the same by numbers of threads: assertion violation.
// -DSPIN the last one keeps a lock, which does not tell whose it is: correct.
// -DOWNER it keeps a mutex, whose owner main cannot be: deadlock.
// -DLOCAL one looks at a variable of another that has ended: memory error.
// -DRACE two of them write, but only where one came before: data race.
// -DARGUMENT they are told apart by what their arguments point to: assertion violation.
// -DNODES each has memory of its own: correct.
// -DNEXT a thread of another kind gets the number of whichever has ended: assertion violation.
// -DLATER one that begins alike is made when others have ended: assertion violation.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 4 };

static atomic_int count, rounds;
static _Atomic(pthread_t) first, last;
static pthread_spinlock_t spin;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) shown;
static atomic_int number;
static int plain;
static _Thread_local int local;

static void *work(void *arg)
{
    (void)arg;
    int before = atomic_fetch_add(&count, 1);
    local = before;
#ifdef LAST
    atomic_store(&last, pthread_self());
#endif
#ifdef FIRST
    if (before == 0)
        atomic_store(&first, pthread_self());
#endif
#ifdef NUMBER
    if (before == 0)
        atomic_store(&number, gettid());
#endif
#ifdef SPIN
    if (before == N - 1)
        pthread_spin_lock(&spin);
#endif
#ifdef OWNER
    if (before == 1)
        pthread_mutex_lock(&mutex);
#endif
#ifdef LOCAL
    int *other = atomic_exchange(&shown, &local);
    if (before == N - 1 && other)
        assert(*other < N);
#endif
#ifdef RACE
    if (before == 2 && atomic_load(&rounds) == 1)
        plain = 1;
    else if (before == 1)
        plain = 2;
#endif
#ifdef ARGUMENT
    if (before == 0)
        atomic_store(&number, *(int *)arg);
#endif
#ifdef NODES
    int *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    *node = before;
    atomic_fetch_add(&rounds, *node);
    free(node);
#else
    atomic_fetch_add(&rounds, 1);
#endif
    return NULL;
}

#ifdef NEXT
static void *next(void *arg)
{
    assert(gettid() != getpid() + 2);
    return arg;
}

static void look_next(const pthread_t *t)
{
    pthread_t other;
    for (int k = 0; k < N; k++)
        pthread_detach(t[k]);
    while (atomic_load(&count) < 1)
        ;
    pthread_create(&other, NULL, next, NULL);
    pthread_join(other, NULL);
    exit(0);
}
#endif

int main(void)
{
    pthread_t t[N];
    int *args[N] = {0};
    pthread_spin_init(&spin, 0);
    for (int k = 0; k < N; k++) {
#ifdef ARGUMENT
        args[k] = malloc(sizeof *args[k]);
        if (!args[k])
            return 0;
        *args[k] = k;
#endif
        pthread_create(&t[k], NULL, work, args[k]);
#ifdef LATER
        if (k == N - 2)
            for (int j = 0; j < k; j++)
                pthread_join(t[j], NULL);
#endif
    }
#ifdef NEXT
    look_next(t);
#endif
#ifdef LATER
    for (int k = N - 2; k < N; k++)
        pthread_join(t[k], NULL);
    assert(local != 0 || count != N);
#else
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
#endif
    assert(count == N);
#ifdef LAST
    assert(!pthread_equal(last, t[1]));
#endif
#ifdef FIRST
    assert(!pthread_equal(first, t[N - 1]));
#endif
#ifdef NUMBER
    assert(number != getpid() + 3);
#endif
#ifdef OWNER
    pthread_mutex_lock(&mutex);
#endif
#ifdef ARGUMENT
    assert(number != 2);
#endif
    for (int k = 0; k < N; k++)
        free(args[k]);
    return 0;
}
