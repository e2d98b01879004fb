// Atomic objects of 16 bytes and more: a stack's top with a count, a sum, a large struct.
// Result: correct.
// -DPLAIN reads one plainly while another thread changes it: data race.
// -DCX16 with the processor's instruction: correct.
// Options: -Xclang -Wno-atomic-alignment
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef CX16
#define INSTRUCTION __attribute__((target("cx16")))
#else
#define INSTRUCTION
#endif

struct pair {
    void *p;
    unsigned long n;
};

struct large {
    int a[10];
};

static _Atomic struct pair top;
static _Atomic __int128 sum;
static _Atomic struct large many;
static _Atomic unsigned __int128 kept;

INSTRUCTION static void *work(void *v)
{
    struct pair old = atomic_load(&top), fresh;
    do {
        fresh.p = v;
        fresh.n = old.n + 1;
    } while (!atomic_compare_exchange_strong(&top, &old, fresh));
    atomic_fetch_add(&sum, (__int128)1 << 64);
    return 0;
}

/* Only the sum has the address of what must be freed, with a count above it. */
INSTRUCTION static void add_to_address(void)
{
    int *array = calloc(4, sizeof *array), step = array[0] + 1;
    atomic_store(&kept, (unsigned __int128)7 << 64 | (uintptr_t)array);
    array = NULL;
    atomic_fetch_sub(&kept, 4u * (unsigned)step);
    atomic_fetch_add(&kept, ((unsigned __int128)1 << 64) + 8);
    unsigned __int128 now = atomic_load(&kept);
    int *second = (int *)(uintptr_t)now;
    *second = 5;
    assert((uintptr_t)(now >> 64) == 8 && *second == 5 && second[-1] == 0);
}

INSTRUCTION int main(void)
{
    pthread_t t;
    int x = 0;
    pthread_create(&t, 0, work, &x);
#ifdef PLAIN
    return *(volatile int *)(void *)&sum;
#endif
    work(&x);
    pthread_join(t, 0);
    struct pair end = atomic_load(&top);
    assert(end.n == 2 && end.p == &x && atomic_load(&sum) == (__int128)2 << 64);
    struct large l = {{1, 2, 3}};
    atomic_store(&many, l);
    l.a[9] = 5;
    l = atomic_exchange(&many, l);
    assert(l.a[9] == 0 && l.a[2] == 3);
    add_to_address();
    return 0;
}
