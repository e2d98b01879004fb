// float and double: special values, conversions, comparison.  Result: correct.
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>

int main(int argc, char **argv)
{
    (void)argv;
    double zero = argc - 1, one = argc;
    double nan = zero / zero, inf = one / zero;
    assert(nan != nan && !(nan < 1) && !(nan > 1));
    assert(inf > DBL_MAX && -inf < -DBL_MAX && 1 / -inf == 0);
    assert(0.1 + 0.2 != 0.3 && (double)(float)(0.1 * one) != 0.1);
    assert((int)-2.9 == -2 && (unsigned)2.9 == 2);
    assert((double)(1L << 53) + one == (double)(1L << 53));
    assert((float)(INT_MAX - 1 + argc) == 2147483648.0f);
    assert((unsigned char)(255.9 * one) == 255);
    float f = 1;
    for (int k = 0; k < 200; k++)
        f /= 2;
    assert(f == 0);
    assert(sqrt(2 * one) > 1.41421 && sqrt(2 * one) < 1.41422);
    assert(floor(-0.5 * one) == -1 && fabs(-one) == 1 && fmod(7.5 * one, 2) == 1.5);
    return 0;
}
