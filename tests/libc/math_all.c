// Each function of <math.h> is called, in all three types.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

static const struct {
    const char *name;
    double (*f)(double);
    float (*g)(float);
    long double (*h)(long double);
    double x;
} one[] = {
#define ONE(name, x) {#name, name, name##f, name##l, x},
    ONE(acos, .5) ONE(acosh, 1.5) ONE(asin, .5) ONE(asinh, .5) ONE(atan, .5) ONE(atanh, .5)
        ONE(cbrt, 3) ONE(ceil, 1.5) ONE(cos, 1) ONE(cosh, 1) ONE(erf, .5) ONE(erfc, .5)
            ONE(exp, 1) ONE(exp10, 2) ONE(exp2, 3) ONE(expm1, .5) ONE(fabs, -2) ONE(floor, -1.5)
                ONE(lgamma, 4.5) ONE(log, 3) ONE(log10, 3) ONE(log1p, .5) ONE(log2, 3)
                    ONE(logb, 10) ONE(nearbyint, 2.5) ONE(rint, 3.5) ONE(round, 2.5) ONE(sin, 1)
                        ONE(sinh, 1) ONE(sqrt, 2) ONE(tan, 1) ONE(tanh, .5) ONE(tgamma, 4.5)
                            ONE(trunc, -1.5)};

static const struct {
    const char *name;
    double (*f)(double, double);
    float (*g)(float, float);
    long double (*h)(long double, long double);
    double x, y;
} two[] = {
#define TWO(name, x, y) {#name, name, name##f, name##l, x, y},
    TWO(atan2, 1, 2) TWO(copysign, 3, -1) TWO(fdim, 3, 1) TWO(fmax, 1, 2) TWO(fmin, 1, 2)
        TWO(fmod, 7, 3) TWO(hypot, 3, 4) TWO(nextafter, 1, 2) TWO(pow, 2, .5)
            TWO(remainder, 5, 3)};

static const struct {
    const char *name;
    int (*f)(double);
    int (*g)(float);
    int (*h)(long double);
} exponent[] = {{"ilogb", ilogb, ilogbf, ilogbl}};

static const struct {
    const char *name;
    long (*f)(double);
    long (*g)(float);
    long (*h)(long double);
} whole[] = {{"lrint", lrint, lrintf, lrintl}, {"lround", lround, lroundf, lroundl}};

static const struct {
    const char *name;
    long long (*f)(double);
    long long (*g)(float);
    long long (*h)(long double);
} longer[] = {{"llrint", llrint, llrintf, llrintl}, {"llround", llround, llroundf, llroundl}};

#define COUNT(array) (sizeof array / sizeof *array)

static void functions(void)
{
    for (size_t k = 0; k < COUNT(one); k++)
        printf("%s %.9g %.5g %.9g\n", one[k].name, one[k].f(one[k].x),
               (double)one[k].g((float)one[k].x), (double)one[k].h(one[k].x));
    for (size_t k = 0; k < COUNT(two); k++)
        printf("%s %.9g %.5g %.9g\n", two[k].name, two[k].f(two[k].x, two[k].y),
               (double)two[k].g((float)two[k].x, (float)two[k].y),
               (double)two[k].h(two[k].x, two[k].y));
    printf("%s %d %d %d\n", exponent[0].name, exponent[0].f(10), exponent[0].g(10),
           exponent[0].h(10));
    for (size_t k = 0; k < 2; k++) {
        printf("%s %ld %ld %ld\n", whole[k].name, whole[k].f(2.5), whole[k].g(3.5f),
               whole[k].h(-2.5));
        printf("%s %lld %lld %lld\n", longer[k].name, longer[k].f(2.5), longer[k].g(3.5f),
               longer[k].h(-2.5));
    }
}

/* those that have another shape */
static void others(void)
{
    double (*fused)(double, double, double) = fma;
    float (*fusedf)(float, float, float) = fmaf;
    long double (*fusedl)(long double, long double, long double) = fmal;
    int e, q;
    double part;
    float partf;
    long double partl;
    printf("%g %g %g\n", fused(2, 3, 4), (double)fusedf(2, 3, 4), (double)fusedl(2, 3, 4));
    printf("%g", frexp(10, &e)), printf(" %d", e);
    printf(" %g", (double)frexpf(10, &e)), printf(" %g %d\n", (double)frexpl(10, &e), e);
    printf("%g %g %g\n", ldexp(3, 2), (double)ldexpf(3, 2), (double)ldexpl(3, 2));
    printf("%g %g", modf(3.25, &part), part);
    printf(" %g %g", (double)modff(3.25f, &partf), (double)partf);
    printf(" %g %g\n", (double)modfl(3.25L, &partl), (double)partl);
    printf("%d %d %d\n", isnan(nan("")), isnan(nanf("")), isnan(nanl("")));
    printf("%d %d %d\n", nexttoward(1, 2) > 1, nexttowardf(1, 2) > 1, nexttowardl(1, 2) > 1);
    printf("%g %g %g", remquo(7, 3, &q), (double)remquof(7, 3, &q), (double)remquol(7, 3, &q));
    printf(" %d\n", q);
    printf("%g %g %g\n", scalbln(3, 2), (double)scalblnf(3, 2), (double)scalblnl(3, 2));
    printf("%g %g %g\n", scalbn(3, 2), (double)scalbnf(3, 2), (double)scalbnl(3, 2));
}

/* those of Unix and GNU */
static void older(void)
{
    double s, c;
    float sf, cf;
    long double sl, cl;
    int sign;
    sincos(1, &s, &c);
    sincosf(1, &sf, &cf);
    sincosl(1, &sl, &cl);
    printf("%.9g %.9g %.5g %.5g %.9g %.9g\n", s, c, (double)sf, (double)cf, (double)sl,
           (double)cl);
    printf("%.9g", lgamma_r(-.5, &sign)), printf(" %d", sign);
    printf(" %.5g", (double)lgammaf_r(-.5f, &sign));
    printf(" %.9g\n", (double)lgammal_r(-.5L, &sign));
    printf("%.9g %.9g %.9g\n", j0(1), j1(1), jn(2, 1));
    printf("%.9g %.9g %.9g\n", y0(1), y1(1), yn(2, 1));
    printf("%.5g %.5g %.5g\n", (double)j0f(1), (double)j1f(1), (double)jnf(2, 1));
    printf("%.5g %.5g %.5g\n", (double)y0f(1), (double)y1f(1), (double)ynf(2, 1));
    printf("%g %g %g %g\n", drem(5, 3), (double)dremf(5, 3), scalb(3, 2), (double)scalbf(3, 2));
    printf("%g %g\n", significand(12), (double)significandf(12));
    printf("%d %d\n", (finite)(1) != 0, (finitef)(1) != 0);
}

int main(void)
{
    functions();
    others();
    older();
    return 0;
}
