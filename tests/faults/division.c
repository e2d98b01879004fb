// Division by zero.  Result: arithmetic.
// -DREMAINDER by % as well: arithmetic.
// -DUNSIGNED on unsigned numbers: arithmetic.
// -DLEAST the least number by -1, which has no result: arithmetic.
// -DFLOATING has one for floating point numbers: correct.
// Expect: division by zero
// Expect: division.c:@quotient
// Expect-REMAINDER: division.c:@remainder
// Expect-UNSIGNED: division.c:@unsigned
// Expect-LEAST: division.c:@least
#include <limits.h>

int main(int argc, char **argv)
{
    (void)argv;
    int zero = argc - 1;
#if defined REMAINDER
    return 7 % zero; // @remainder
#elif defined UNSIGNED
    return (int)(7u / (unsigned)zero); // @unsigned
#elif defined LEAST
    return (INT_MIN + zero) / -argc; // @least
#elif defined FLOATING
    return 1.0 / zero > 1e300 ? 0 : 1;
#else
    return 7 / zero; // @quotient
#endif
}
