// Destructors run in the opposite order of constructors: of the highest priority first, and of
// one priority the last.  Result: correct.
#include <assert.h>

static int constructed, destroyed;

__attribute__((constructor(200))) static void third(void)
{
    assert(constructed++ == 1);
}

__attribute__((constructor(150))) static void second(void)
{
    assert(constructed++ == 0);
}

__attribute__((constructor)) static void last(void)
{
    assert(constructed++ == 2);
}

__attribute__((destructor(150))) static void ends_last(void)
{
    assert(destroyed == 4);
}

__attribute__((destructor(200))) static void ends_first(void)
{
    assert(destroyed++ == 3);
}

__attribute__((destructor(200))) static void ends_before(void)
{
    assert(destroyed++ == 2);
}

__attribute__((destructor)) static void ends(void)
{
    assert(destroyed++ == 1);
}

__attribute__((destructor)) static void ends_soonest(void)
{
    assert(destroyed++ == 0);
}

int main(void)
{
    assert(constructed == 3);
    return 0;
}
