// Where nobody is in f no frame has its variable, so a comparison with it is false; what else
// is not known holds neither plainly nor negated.  Result: correct. -DNEVER: it never becomes
// 7: formula violated. -DNULL_POINTER: p leads nowhere, so it is not known that p->n is not 3:
// formula violated.
// Options: --ltl='F(f::x == 7)' --ltl='G F !(f::x == 7)' --ltl='F G !(p->n == 3)'
#include <stddef.h>

static struct pair {
    int n;
} four = {4}, *p = &four;

static int f(int n)
{
#ifdef NEVER
    int x = n;
#else
    int x = 7;
#endif
    return x + n;
}

int main(void)
{
#ifdef NULL_POINTER
    p = NULL;
#endif
    return f(0) > 7 || (p && p->n == 3);
}
