// A struct is passed by value where races are allowed: that it is read is a step of its own, so
// another thread comes between this and what was written before.  Result: assertion violation.
// -DTWO of two structs the first is read before that, and the second after it: assertion
// violation. -DBOTH never the other way round: correct.
// Options: --races=allow
// Expect: assertion failed: seen == 0
#include <assert.h>
#include <pthread.h>

struct large {
    long first, rest[4];
};
static struct large a, b;
static int begun;

__attribute__((noinline)) static int which(struct large x, struct large y)
{
    return (int)(x.first + 2 * y.first);
}

static void *other(void *arg)
{
    if (begun) {
#if defined TWO || defined BOTH
        b.first = 1;
#endif
        a.first = 1;
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    begun = 1;
    int seen = which(a, b);
    begun = 0;
#if defined TWO
    assert(seen != 2);
#elif defined BOTH
    assert(seen != 1);
#else
    assert(seen == 0);
#endif
    pthread_join(thread, NULL);
    return 0;
}
