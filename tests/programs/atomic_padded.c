// Atomic objects whose size is no power of two: what the compiler adds to them does not count.
// Result: correct.
// -DLOST has two threads that count by load and store: assertion violation.
// -DUNSET compares with what was never set: undefined value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct three {
    int a, b, c;
};

struct bytes {
    char byte[3];
};

static _Atomic struct three sum;
static _Atomic struct bytes small;

static void *add(void *p)
{
    struct three old = atomic_load(&sum), next;
    do {
        next = (struct three){old.a + 1, old.b + 2, old.c + 3};
#ifdef LOST
        atomic_store(&sum, next);
        break;
#endif
    } while (!atomic_compare_exchange_strong(&sum, &old, next));
    return p;
}

static void test_bytes(void)
{
    struct bytes abc = {{'a', 'b', 'c'}}, zero = {{0}};
    assert(atomic_compare_exchange_strong(&small, &zero, abc));
    assert(!atomic_compare_exchange_strong(&small, &zero, abc));
    assert(zero.byte[2] == 'c');
    zero = atomic_exchange(&small, abc);
    assert(zero.byte[0] == 'a');
}

static void test_heap(void)
{
    _Atomic struct three *p = malloc(sizeof *p), local;
    struct three one = {1, 1, 1}, two = {2, 2, 2};
    if (!p)
        return;
    atomic_store(p, one);
    atomic_store(&local, one);
    assert(atomic_compare_exchange_strong(p, &one, two));
    assert(atomic_compare_exchange_strong(&local, &one, two));
    free(p);
}

int main(void)
{
    pthread_t thread[2];
    test_bytes();
    test_heap();
#ifdef UNSET
    struct three unset;
    unset.a = 0;
    return atomic_compare_exchange_strong(&sum, &unset, unset);
#endif
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k], NULL, add, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    struct three all = atomic_load(&sum);
    assert(all.a == 2 && all.b == 4 && all.c == 6);
    return 0;
}
