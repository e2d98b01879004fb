// Result: correct.
// Complex arithmetic and functions.
#include <complex.h>
#include <math.h>
#include <stdio.h>

static void show(const char *name, double complex z)
{
    printf("%s: %.8g %.8g\n", name, creal(z), cimag(z));
}

int main(void)
{
    volatile double two = 2, three = 3;
    double complex a = two + three * I, b = 1 - 2 * I;
    show("mul", a * b);
    show("div", a / b);
    show("sqrt", csqrt(a));
    show("exp", cexp(b));
    show("log", clog(a));
    show("pow", cpow(a, b));
    show("sin", csin(a));
    show("conj", conj(a));
    printf("%.8g %.8g\n", cabs(a), carg(b));
    float complex f = 1.5f + 2.5f * I;
    f = f * f / (f + 1);
    printf("%.5g %.5g\n", crealf(f), cimagf(f));
    volatile double inf = INFINITY;
    double complex big = __builtin_complex(inf, two) * __builtin_complex(two, three);
    printf("%d\n", isinf(creal(big)) || isinf(cimag(big)));
    return 0;
}
