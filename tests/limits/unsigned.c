// Unsigned numbers that wrap are what the standards define, signed ones are not: see
// docs/LIMITS.md.  Result: correct.  -DSIGNED: arithmetic.
#include <limits.h>

int main(void)
{
#ifdef SIGNED
    volatile int number = INT_MAX;
#else
    volatile unsigned number = UINT_MAX;
#endif
    number = number + 1;
    return 0;
}
