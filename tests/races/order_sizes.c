// Atomic accesses of different sizes to the same bytes are not modelled.  Result: refused.
// -DBEFORE the whole was stored before the other threads began: refused.
// -DPARTS only parts are accessed: correct.
// Options: --memory=c11
// Expect: atomic accesses of different sizes to the same bytes: [48] bytes at word
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint64_t whole;
    _Atomic uint32_t part[2];
} word;

static void *add(void *arg)
{
    atomic_fetch_add_explicit(&word.part[0], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&word.part[1], 1, memory_order_relaxed);
    return arg;
}

static void *set(void *arg)
{
#if !defined BEFORE && !defined PARTS
    atomic_store_explicit(&word.whole, 0, memory_order_relaxed);
#endif
    return add(arg);
}

int main(void)
{
    pthread_t a, b;
#ifdef BEFORE
    atomic_store_explicit(&word.whole, 5, memory_order_relaxed);
    atomic_store_explicit(&word.whole, 0, memory_order_relaxed);
#endif
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load_explicit(&word.part[0], memory_order_relaxed) == 2);
}
