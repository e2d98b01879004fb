/* muldc3.c - complex multiplication and division, which the compiler calls; they belong to its
 * own runtime library, of which nothing else is needed.  The special cases are those of C17,
 * Annex G.5.1. */
#include <complex.h>
#include <math.h>

#include "complex_impl.h"

/* Makes an infinite part 1, a finite one 0; the sign is kept. */
static double box(double x)
{
    return copysign(isinf(x) ? 1.0 : 0.0, x);
}

static double zero_if_nan(double x)
{
    return isnan(x) ? copysign(0.0, x) : x;
}

double complex __muldc3(double a, double b, double c, double d)
{
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    double x = ac - bd, y = ad + bc;
    int again = 0;
    if (!isnan(x) || !isnan(y))
        return CMPLX(x, y);
    if (isinf(a) || isinf(b)) {
        a = box(a), b = box(b), c = zero_if_nan(c), d = zero_if_nan(d);
        again = 1;
    }
    if (isinf(c) || isinf(d)) {
        c = box(c), d = box(d), a = zero_if_nan(a), b = zero_if_nan(b);
        again = 1;
    }
    if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {
        a = zero_if_nan(a), b = zero_if_nan(b), c = zero_if_nan(c), d = zero_if_nan(d);
        again = 1;
    }
    if (!again)
        return CMPLX(x, y);
    return CMPLX(INFINITY * (a * c - b * d), INFINITY * (a * d + b * c));
}

double complex __divdc3(double a, double b, double c, double d)
{
    int scale = 0;
    double big = logb(fmax(fabs(c), fabs(d)));
    if (isfinite(big)) {
        scale = (int)big;
        c = scalbn(c, -scale);
        d = scalbn(d, -scale);
    }
    double denom = c * c + d * d;
    double x = scalbn((a * c + b * d) / denom, -scale);
    double y = scalbn((b * c - a * d) / denom, -scale);
    if (!isnan(x) || !isnan(y))
        return CMPLX(x, y);
    if (denom == 0.0 && (!isnan(a) || !isnan(b)))
        return CMPLX(copysign(INFINITY, c) * a, copysign(INFINITY, c) * b);
    if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
        a = box(a), b = box(b);
        return CMPLX(INFINITY * (a * c + b * d), INFINITY * (b * c - a * d));
    }
    if (isinf(big) && big > 0.0 && isfinite(a) && isfinite(b)) {
        c = box(c), d = box(d);
        return CMPLX(0.0 * (a * c + b * d), 0.0 * (b * c - a * d));
    }
    return CMPLX(x, y);
}
