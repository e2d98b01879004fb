// A thread comes to an object by an address that it has computed, though nobody has told it.
// Result: data race.
// Expect: searched with all objects shared
// -DSUM by a difference that another left in shared memory: data race.
// Expect-SUM: searched with every object shared whose address became a number
// -DINDEX the same, added as an index to the number as a pointer: data race.
// -DHALVES by a pointer that is put together from halves of two: data race.
// -DUNION the same in memory: data race.
// -DLATER when the thread that has the object has ended: data race.
// -DLOCAL it is a local variable: data race.
// -DFREE it is freed by that address: memory error.
// -DMINE it is the thread's own object: correct.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static char area[64];
static _Atomic(uintptr_t) packed;
static _Atomic(intptr_t) difference;
static atomic_int end;

/* The object that was made before this one. */
static uintptr_t before(void *of)
{
    return (uintptr_t)of - ((uintptr_t)1 << 32);
}

static int *find(void *of)
{
#ifdef SUM
    (void)of;
    return difference ? (int *)((uintptr_t)area + (uintptr_t)difference) : NULL;
#elif defined INDEX
    (void)of;
    return difference ? (int *)((char *)difference + (uintptr_t)area) : NULL;
#elif defined HALVES
    char *number = area + before(of) / ((uintptr_t)1 << 32);
    uint32_t low = (uint32_t)(uintptr_t)area, high = (uint32_t)(uintptr_t)number;
    return (int *)((uintptr_t)high << 32 | low);
#elif defined UNION
    char *number = area + before(of) / ((uintptr_t)1 << 32);
    union {
        uint32_t half[2];
        int *whole;
    } both = {.half = {(uint32_t)(uintptr_t)area, (uint32_t)(uintptr_t)number}};
    return both.whole;
#elif defined MINE
    (void)of;
    int *mine = malloc(sizeof *mine);
    packed = (uintptr_t)mine << 8;
    return (int *)(packed >> 8);
#else
    return (int *)before(of);
#endif
}

static void *work(void *of)
{
    packed = (uintptr_t)of << 8 | 1;
    int *x = find(of);
#ifdef LATER
    while (!end)
        ;
#endif
    if (x)
#ifdef FREE
        free(x);
#else
        *x = 2;
#endif
#ifdef MINE
    free(x);
#endif
    return NULL;
}

static void *other(void *unused)
{
    int *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    pthread_t id;
    pthread_create(&id, NULL, work, y);
    *x = 0;
#if defined SUM || defined INDEX
    difference = (intptr_t)x - (intptr_t)area;
#endif
#ifdef LATER
    *x = 1;
    end = 1;
    pthread_detach(id);
    *x = 3;
    return unused;
#else
#ifdef FREE
    pthread_join(id, NULL);
#else
    *x = 1;
    pthread_join(id, NULL);
    free(x);
#endif
    free(y);
    return unused;
#endif
}

static void local(void)
{
    pthread_t id;
    int x[1], y[1];
    y[0] = 0;
    pthread_create(&id, NULL, work, y);
    x[*y] = 1;
    pthread_join(id, NULL);
}

int main(void)
{
    pthread_t id;
#ifdef LOCAL
    local();
    (void)id;
    (void)other;
#else
    pthread_create(&id, NULL, other, NULL);
    pthread_join(id, NULL);
    (void)local;
#endif
    return 0;
}
