// A load finds a store of its own thread in the buffer only if that has all its bytes; if it
// has some of them, the load waits until they are in memory.  Result: correct. -DWHOLE one load
// of what one store has, and both threads read the old: assertion violation.
// Options: --memory=tso
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

union word {
    volatile uint32_t all;
    volatile uint16_t half[2];
};
static union word x, y;
static uint32_t a, b;

static uint32_t load(const union word *from)
{
#ifdef WHOLE
    return from->half[0];
#else
    return from->all;
#endif
}

static void *one(void *arg)
{
    x.half[0] = 1;
    a = load(&x) + 2 * load(&y);
    return arg;
}

static void *other(void *arg)
{
    y.half[0] = 1;
    b = load(&y) + 2 * load(&x);
    return arg;
}

int main(void)
{
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, one, NULL);
    pthread_create(&thread[1], NULL, other, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    assert(a == 1 || a == 3);
    assert(a == 3 || b == 3);
    return 0;
}
