// Signed addition overflows.  Result: arithmetic.
// -DSUBTRACT subtraction too: arithmetic.
// -DMULTIPLY multiplication too: arithmetic.
// -DNEGATE the least number has no negative: arithmetic.
// -DINCREMENT stepping past the greatest: arithmetic.
// -DLONG in 64 bits: arithmetic.
// -DUNSIGNED numbers wrap: correct.
// -DNARROW ones are computed as int: correct.
// Expect: signed overflow
// Expect: overflow.c:@add
// Expect-SUBTRACT: overflow.c:@subtract
// Expect-MULTIPLY: overflow.c:@multiply
// Expect-NEGATE: overflow.c:@negate
// Expect-INCREMENT: overflow.c:@increment
// Expect-LONG: overflow.c:@long
#include <limits.h>

int main(int argc, char **argv)
{
    (void)argv;
    int most = INT_MAX - 1 + argc, least = INT_MIN + 1 - argc;
#if defined SUBTRACT
    return least - argc; // @subtract
#elif defined MULTIPLY
    return (most / 2 + 1) * (argc + 1); // @multiply
#elif defined NEGATE
    return -least; // @negate
#elif defined INCREMENT
    for (int k = most - 1; k > 0;)
        k++; // @increment
    return 0;
#elif defined LONG
    long big = LONG_MAX - 1 + argc;
    return (int)(big + argc); // @long
#elif defined UNSIGNED
    return (int)((unsigned)most * 2 + 2 + (unsigned)least * 2);
#elif defined NARROW
    signed char c = (signed char)(126 + argc);
    c += 1;
    short s = (short)(SHRT_MAX - 1 + argc);
    s++;
    return c == -128 && s == SHRT_MIN ? 0 : 1;
#else
    return most + argc; // @add
#endif
}
