// Each function of <complex.h> is called, in all three types.
#include <complex.h>
#include <stddef.h>
#include <stdio.h>

static const struct {
    const char *name;
    double complex (*f)(double complex);
    float complex (*g)(float complex);
    long double complex (*h)(long double complex);
} one[] = {
#define ONE(name) {#name, name, name##f, name##l},
    ONE(cacos) ONE(cacosh) ONE(casin) ONE(casinh) ONE(catan) ONE(catanh) ONE(ccos) ONE(ccosh)
        ONE(cexp) ONE(clog) ONE(cproj) ONE(csin) ONE(csinh) ONE(csqrt) ONE(ctan) ONE(ctanh)
            ONE(conj)};

static const struct {
    const char *name;
    double (*f)(double complex);
    float (*g)(float complex);
    long double (*h)(long double complex);
} part[] = {ONE(cabs) ONE(carg) ONE(creal) ONE(cimag)};

static double complex (*const power)(double complex, double complex) = cpow;
static float complex (*const powerf)(float complex, float complex) = cpowf;
static long double complex (*const powerl)(long double complex, long double complex) = cpowl;

static void show(const char *name, double complex a, double complex b, double complex c)
{
    printf("%s (%.8g, %.8g) (%.4g, %.4g) (%.8g, %.8g)\n", name, __real__ a, __imag__ a,
           __real__ b, __imag__ b, __real__ c, __imag__ c);
}

int main(void)
{
    double complex z = .5 + .25 * I;
    for (size_t k = 0; k < sizeof one / sizeof *one; k++)
        show(one[k].name, one[k].f(z), one[k].g((float complex)z), (double complex)one[k].h(z));
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        printf("%s %.8g %.5g %.8g\n", part[k].name, part[k].f(z),
               (double)part[k].g((float complex)z), (double)part[k].h(z));
    show("cpow", power(z, 2), powerf((float complex)z, 2), (double complex)powerl(z, 2));
    return 0;
}
