// Calls through tables, arguments, casts there and back.  Result: correct.
#include <assert.h>
#include <stddef.h>

typedef int operation(int, int);

static int add(int a, int b)
{
    return a + b;
}

static int multiply(int a, int b)
{
    return a * b;
}

static operation *choose(char c)
{
    return c == '+' ? add : c == '*' ? multiply : NULL;
}

static int fold(operation *f, const int *p, size_t n, int start)
{
    while (n--)
        start = f(start, *p++);
    return start;
}

int main(void)
{
    static operation *const table[] = {add, multiply};
    int numbers[] = {2, 3, 4};
    assert(table[0](2, 3) == 5 && table[1](2, 3) == 6);
    assert(fold(choose('+'), numbers, 3, 0) == 9);
    assert(fold(choose('*'), numbers, 3, 1) == 24);
    assert(!choose('-') && choose('+') == add && choose('*') != add);
    void (*any)(void) = (void (*)(void))add;
    assert(((operation *)any)(1, 1) == 2);
    return 0;
}
