// Addresses below an object, of pointers, numbers, constants and atomic variables, and back.
// Result: correct.
// -DSEEN what is written by way of one is read elsewhere: assertion violation.
// -DSEEN -DCONSTANT by way of a constant: assertion violation.
// -DSEEN -DATOMIC by way of an atomic variable: assertion violation.
// -DFAR a constant is so far away that it could be another variable's: memory error.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static int before = 7, x[4], after = 9, one = 1;
static uintptr_t base = (uintptr_t)x + (uintptr_t)-4;
static int *below = (int *)((uintptr_t)x - 4);
static atomic_uintptr_t moving;
static _Atomic(int *) moved;

static void constants(void)
{
    assert(base + 4 == (uintptr_t)x);
    assert(base + 4 * (uintptr_t)one == (uintptr_t)x);
    assert(below + one == x);
    *(int *)(base + 4 * (uintptr_t)one) = 1;
    below[one + 1] = 2;
    assert(x[0] == 1 && x[1] == 2 && before == 7 && after == 9);
}

static void computed(int *p, int n)
{
    uintptr_t number = (uintptr_t)(p - n);
    int *pointer = (int *)((uintptr_t)p - 4 * (uintptr_t)n);
    assert(number == (uintptr_t)pointer && pointer + n == p);
    assert(number + 4 * (uintptr_t)n == (uintptr_t)p &&
           (uintptr_t)p - number == 4u * (unsigned)n);
    assert(p - pointer == n && pointer - p == -n);
    assert(pointer < p && number < (uintptr_t)p);
    *(int *)(number + 4 * (uintptr_t)n) = 3;
    pointer[n + 1] = 4;
    assert(p[0] == 3 && p[1] == 4);
    uintptr_t sum;
    assert(!__builtin_add_overflow(number, 4 * (uintptr_t)n, &sum));
    *(int *)sum = 5;
    int steps = 0;
    for (int *q = p + 3; q >= p; q--)
        steps += q >= p;
    assert(steps == 4 && p[0] == 5);
}

static void atomically(int *p, int n)
{
    atomic_store(&moving, (uintptr_t)p);
    atomic_fetch_sub(&moving, 4 * (uintptr_t)n);
    assert(atomic_fetch_add(&moving, 4 * (uintptr_t)n) == (uintptr_t)p - 4 * (uintptr_t)n);
    *(int *)atomic_load(&moving) = 6;
    atomic_store(&moved, p);
    atomic_fetch_sub(&moved, n);
    atomic_fetch_add(&moved, n + 1);
    *atomic_load(&moved) = 7;
    assert(p[0] == 6 && p[1] == 7);
}

#ifdef SEEN
static atomic_int far, wanted[2], go;
static uintptr_t start = (uintptr_t)wanted - 4;

static void *reader(void *arg)
{
    int first = atomic_load(&wanted[0]);
    atomic_store(&go, 1);
    assert(atomic_load(&wanted[0]) == first);
    return arg;
}

static void *writer(void *arg)
{
    atomic_uintptr_t at = (uintptr_t)wanted;
    while (!atomic_load(&go)) {
    }
#ifdef CONSTANT
    uintptr_t p = start + 4 * (uintptr_t)one;
#elif defined(ATOMIC)
    at -= 4 * (uintptr_t)one;
    at += 4;
    uintptr_t p = at;
#else
    uintptr_t p = (uintptr_t)wanted - 4 * (uintptr_t)one + 4;
#endif
    (void)at;
    atomic_store((atomic_int *)p, 1);
    return arg;
}

static void seen(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!atomic_load(&far) && start);
}
#else
static void seen(void)
{
}
#endif

int main(void)
{
    int *heap = calloc(4, sizeof *heap), *other = calloc(4, sizeof *other), local[4] = {0};
    constants();
    computed(x, one);
    computed(heap, one + 1);
    computed(local, one + 2);
    atomically(x, one);
    atomically(other, one);
#ifdef FAR
    static int *away = x + (1L << 30), *less = x - (1L << 29);
    assert(less + (1L << 29) == x);
    *away = 0;
#endif
    seen();
    int *hidden = heap - one; /* what is reached by it only is no leak */
    heap = NULL;
    free(hidden + one);
    free(other);
    return 0;
}
