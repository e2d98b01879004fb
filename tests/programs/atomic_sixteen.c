// Atomic accesses of 16 bytes for which compilers call a library: of numbers, and of what is
// not aligned as an instruction wants it.  Result: correct. -DLOST loads and stores in two
// steps: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic __int128 sum;
struct two {
    long a, b;
};
static struct {
    char pad[8];
    struct two t;
} at8;

static void *add(void *arg)
{
#ifdef LOST
    sum = sum + 5;
#else
    sum += 5;
#endif
    struct two old, fresh;
    __atomic_load(&at8.t, &old, __ATOMIC_RELAXED);
    do {
        fresh.a = old.a + 1;
        fresh.b = old.b + 2;
    } while (!__atomic_compare_exchange(&at8.t, &old, &fresh, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(sum == 10 && at8.t.a == 2 && at8.t.b == 4);
    return 0;
}
