// Threads that try again and again, as a search by states sees them: the rounds come back to
// states that were there.  Result: correct.
// -DCOUNT: a test-and-set lock that a thread takes twice: correct.
// -DSPINNERS: three threads take it once each: correct.
// -DRELAXED: it is given back by a relaxed store: data race.
// -DLOADS: a thread reads two places in turn, seq_cst, which another one does not know, beside
// weaker accesses: correct.
// -DOLD: and can read the second place's old value after the first one's new: assertion
// violation.
// -DPLAIN: of equal plain stores each counts, since another store may come in between:
// assertion violation.
// Options: --search=bfs --memory=c11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef RELAXED
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
#ifdef OLD
#define STORE memory_order_relaxed
#else
#define STORE memory_order_seq_cst
#endif

static atomic_bool locked;
static int data;

static void *count(void *arg)
{
#ifdef COUNT
    for (int k = 0; k < 2; k++)
#endif
    {
        while (atomic_exchange_explicit(&locked, true, memory_order_acquire))
            ;
        data++;
        atomic_store_explicit(&locked, false, RELEASE);
    }
    return arg;
}

static atomic_int first, second, third;

static void *read_both(void *arg)
{
    int a, b;
    do {
        a = atomic_load(&first);
        b = atomic_load(&second);
    } while (a == 0);
    assert(b == 1);
    return arg;
}

static void *write_both(void *arg)
{
    atomic_fetch_add_explicit(&third, 1, memory_order_acquire);
    atomic_store_explicit(&second, 1, STORE);
    atomic_store_explicit(&first, 1, STORE);
    return arg;
}

static void *look_away(void *arg)
{
    atomic_fetch_add_explicit(&third, 1, memory_order_acquire);
    return arg;
}

static void *store_again(void *arg)
{
    atomic_store_explicit(&first, 1, memory_order_relaxed);
    atomic_store_explicit(&first, 1, memory_order_relaxed);
    atomic_store_explicit(&first, 3, memory_order_relaxed);
    atomic_store_explicit(&second, 1, memory_order_relaxed);
    return arg;
}

static void *store_late(void *arg)
{
    int stored = atomic_load_explicit(&second, memory_order_relaxed);
    atomic_store_explicit(&first, 2, memory_order_relaxed);
    atomic_store_explicit(&third, stored, memory_order_relaxed);
    return arg;
}

static int load(atomic_int *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static void *load_all(void *arg)
{
    bool late = load(&third) == 1; /* after all stores */
    int a = load(&first), b = load(&first), c = load(&first);
    assert(!(late && a == 1 && b == 2 && c == 1));
    return arg;
}

typedef void *function(void *);

/* Three threads, of which main is the last. */
static void run(function *one, function *other, function *own)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    own(NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

int main(void)
{
#ifdef PLAIN
    run(store_again, store_late, load_all);
#elif defined LOADS || defined OLD
    run(write_both, look_away, read_both);
    assert(atomic_load(&third) == 2);
#elif defined SPINNERS
    run(count, count, count);
    assert(data == 3);
#else
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    assert(data % 2 == 0);
#endif
}
