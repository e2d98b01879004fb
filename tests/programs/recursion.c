// Ackermann's function, mutual recursion, and locals that differ per call.
// Result: correct.
#include <assert.h>

static unsigned ackermann(unsigned m, unsigned n)
{
    if (!m)
        return n + 1;
    return n ? ackermann(m - 1, ackermann(m, n - 1)) : ackermann(m - 1, 1);
}

static int is_odd(int n);

static int is_even(int n)
{
    return n ? is_odd(n - 1) : 1;
}

static int is_odd(int n)
{
    return n ? is_even(n - 1) : 0;
}

static int nested(int *outer, int depth)
{
    int local = depth;
    if (outer)
        *outer += local;
    if (depth)
        nested(&local, depth - 1);
    return local;
}

int main(void)
{
    assert(ackermann(2, 5) == 13);
    assert(is_even(100) && is_odd(7));
    assert(nested(0, 3) == 5);
    return 0;
}
