// A weak compare-exchange may fail although it finds what it expects: in a loop that tries
// again nobody can tell.  Result: correct. -DONCE has no loop: assertion violation. -DTWICE
// tries again once: assertion violation. -DCOUNTED allows for it: correct. -DUNLOCK unlocks by
// one that is not tried again: endless run. -DSTRONG has no loop, and needs none: correct.
// -DNODE expects in a node that others read once it is there, and so stores in it when it
// fails: correct. -DRELAXED does so after the node can be read: data race.
// Expect-ONCE: compare-exchange x fails spuriously: is 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

#if defined NODE || defined RELAXED
struct node {
    int value;
    struct node *next;
};
static struct node nodes[2];
static _Atomic(struct node *) top;

static void *work(void *arg)
{
    struct node *n = arg;
    n->value = 1;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
#ifdef RELAXED
    (void)atomic_compare_exchange_weak(&top, &n->next, n);
#endif
    struct node *first = atomic_load(&top);
    assert(first->value == 1);
    return first->next == first ? first : NULL;
}
#else
static void *work(void *arg)
{
    int old = 0;
#if defined ONCE
    if (!atomic_compare_exchange_weak(&x, &old, 1))
        assert(old);
#elif defined TWICE
    if (!atomic_compare_exchange_weak(&x, &old, 1) && !old)
        if (!atomic_compare_exchange_weak(&x, &old, 1))
            assert(old);
#elif defined COUNTED
    if (!atomic_compare_exchange_weak(&x, &old, 1))
        return &x;
    assert(old == 0);
#elif defined UNLOCK
    while (!atomic_compare_exchange_weak(&x, &old, 1))
        old = 0;
    old = 1;
    atomic_compare_exchange_weak(&x, &old, 0);
#elif defined STRONG
    if (!atomic_compare_exchange_strong(&x, &old, 1))
        assert(old == 1);
#else
#define EACH_ADDS
    while (!atomic_compare_exchange_weak(&x, &old, old + 1))
        ;
#endif
    return arg;
}
#endif

int main(void)
{
    pthread_t thread[2];
#if defined NODE || defined RELAXED
    pthread_create(&thread[0], 0, work, &nodes[0]);
    pthread_create(&thread[1], 0, work, &nodes[1]);
#else
    pthread_create(&thread[0], 0, work, 0);
    pthread_create(&thread[1], 0, work, 0);
#endif
    pthread_join(thread[0], 0);
    pthread_join(thread[1], 0);
#ifdef EACH_ADDS
    assert(atomic_load(&x) == 2);
#endif
}
