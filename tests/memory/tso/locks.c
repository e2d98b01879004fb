// A lock that is taken by an exchange and given back by a release store, which the processor
// does not delay for ever.  Result: correct. -DWAITS the other thread waits for a store of one
// that waits for a mutex: correct. -DSEQLOCK a reader of a sequence lock sees no half of a
// write, with relaxed orders: correct. -DSEQLOCK_BUG the second half is written after the
// sequence says that it is done: assertion violation.
// Options: --memory=tso
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int taken, sequence, first, second, flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

#if defined SEQLOCK || defined SEQLOCK_BUG
static void *one(void *arg)
{
    STORE(sequence, 1);
    STORE(first, 1);
#ifdef SEQLOCK_BUG
    STORE(sequence, 2);
    STORE(second, 1);
#else
    STORE(second, 1);
    STORE(sequence, 2);
#endif
    return arg;
}

static void *other(void *arg)
{
    int before = LOAD(sequence), a = LOAD(first), b = LOAD(second), after = LOAD(sequence);
    assert(before % 2 || before != after || a == b);
    return arg;
}
#elif defined WAITS
static void *one(void *arg)
{
    STORE(flag, 1); /* still in the buffer when this waits */
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *other(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!LOAD(flag))
        continue;
    count++;
    pthread_mutex_unlock(&mutex);
    return arg;
}
#else
static void *one(void *arg)
{
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
        continue;
    count++;
    atomic_store_explicit(&taken, 0, memory_order_release);
    return arg;
}
#define other one
#endif

int main(void)
{
    pthread_t thread[2];
#ifdef WAITS
    pthread_mutex_lock(&mutex);
#endif
    pthread_create(&thread[0], NULL, one, NULL);
    pthread_create(&thread[1], NULL, other, NULL);
#ifdef WAITS
    pthread_mutex_unlock(&mutex);
#endif
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    assert(count == 0 || count == 2);
    return 0;
}
