// Constructors run before main, by priority.  Result: correct.
#include <assert.h>

static int order;

__attribute__((constructor(201))) static void second(void)
{
    assert(order == 1);
    order = 2;
}

__attribute__((constructor(200))) static void first(void)
{
    assert(order == 0);
    order = 1;
}

int main(void)
{
    assert(order == 2);
    return 0;
}
