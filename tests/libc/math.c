// Result: correct.
// Functions of <math.h>, printed to the digits on which C libraries agree.
#include <math.h>
#include <stdio.h>

static void unary(const char *name, double (*f)(double))
{
    static const double xs[] = {-2.5, -1.0, -0.3, 0.0, 0.5, 1.0, 2.0, 10.0};
    printf("%s:", name);
    for (int i = 0; i < 8; i++) {
        double y = f(xs[i]);
        if (isnan(y))
            printf(" nan");
        else
            printf(" %.10g", y);
    }
    printf("\n");
}

int main(void)
{
    unary("sin", sin);
    unary("cos", cos);
    unary("tan", tan);
    unary("atan", atan);
    unary("exp", exp);
    unary("log", log);
    unary("log10", log10);
    unary("sqrt", sqrt);
    unary("cbrt", cbrt);
    unary("sinh", sinh);
    unary("tanh", tanh);
    unary("floor", floor);
    unary("ceil", ceil);
    unary("round", round);
    unary("trunc", trunc);
    unary("rint", rint);
    unary("erf", erf);
    unary("lgamma", lgamma);
    printf("%.10g %.10g %.10g %.10g\n", pow(2, 0.5), pow(-2, 3), fmod(7.5, 2), hypot(3, 4));
    printf("%.10g %.10g %.10g\n", atan2(1, -1), remainder(7, 4), fma(2, 3, 4));
    int e;
    double ip, m = frexp(12.0, &e);
    printf("%g %d %g %g %g\n", m, e, ldexp(0.75, 4), modf(3.25, &ip), ip);
    printf("%g %g %g\n", copysign(1, -0.0), nextafter(1, 2) - 1, fdim(5, 3));
    printf("%d %d %d %d\n", isnan(NAN), isinf(INFINITY) != 0, isfinite(1.0),
           signbit(-1.0) != 0);
    printf("%ld %ld %d\n", lround(2.5), lrint(2.5), ilogb(8.0));
    printf("%g %g\n", fmin(1, NAN), fmax(NAN, 2));
    printf("%.6g %.6g\n", (double)sinf(1.0f), (double)powf(2.0f, 0.5f));
    return 0;
}
