// More functions are to be called at the end than musl has room for at first.  Result: correct.
// -DORDER the last one is called first: correct.
// -DLATE one of them adds some, which are called next: correct.
// -DBUG the first one loses memory: memory error.
// Expect-BUG: 7 bytes
#include <assert.h>
#include <stdlib.h>

enum { MANY = 70 };

static int run;

static void last(void)
{
    assert(run == MANY);
#ifdef BUG
    char *lost = malloc(7);
    *lost = 'x';
#endif
}

static void count(void)
{
    run++;
}

#ifdef ORDER
static void early(void)
{
    assert(run == 0);
}
#endif

#ifdef LATE
static void add(void)
{
    assert(run == 0);
    for (int k = 0; k < MANY; k++)
        assert(atexit(count) == 0);
}
#endif

int main(void)
{
    assert(atexit(last) == 0);
#ifdef LATE
    assert(atexit(add) == 0);
#else
    for (int k = 0; k < MANY; k++)
        assert(atexit(count) == 0);
#endif
#ifdef ORDER
    assert(atexit(early) == 0);
#endif
    return 0;
}
