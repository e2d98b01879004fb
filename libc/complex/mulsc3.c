/* mulsc3.c - muldc3.c for float. */
#include <complex.h>
#include <math.h>

#include "complex_impl.h"

/* Makes an infinite part 1, a finite one 0; the sign is kept. */
static float box(float x)
{
    return copysignf(isinf(x) ? 1.0f : 0.0f, x);
}

static float zero_if_nan(float x)
{
    return isnan(x) ? copysignf(0.0f, x) : x;
}

float complex __mulsc3(float a, float b, float c, float d)
{
    float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    float x = ac - bd, y = ad + bc;
    int again = 0;
    if (!isnan(x) || !isnan(y))
        return CMPLXF(x, y);
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
        return CMPLXF(x, y);
    return CMPLXF(INFINITY * (a * c - b * d), INFINITY * (a * d + b * c));
}

float complex __divsc3(float a, float b, float c, float d)
{
    int scale = 0;
    float big = logbf(fmaxf(fabsf(c), fabsf(d)));
    if (isfinite(big)) {
        scale = (int)big;
        c = scalbnf(c, -scale);
        d = scalbnf(d, -scale);
    }
    float denom = c * c + d * d;
    float x = scalbnf((a * c + b * d) / denom, -scale);
    float y = scalbnf((b * c - a * d) / denom, -scale);
    if (!isnan(x) || !isnan(y))
        return CMPLXF(x, y);
    if (denom == 0.0f && (!isnan(a) || !isnan(b)))
        return CMPLXF(copysignf(INFINITY, c) * a, copysignf(INFINITY, c) * b);
    if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
        a = box(a), b = box(b);
        return CMPLXF(INFINITY * (a * c + b * d), INFINITY * (b * c - a * d));
    }
    if (isinf(big) && big > 0.0f && isfinite(a) && isfinite(b)) {
        c = box(c), d = box(d);
        return CMPLXF(0.0f * (a * c + b * d), 0.0f * (b * c - a * d));
    }
    return CMPLXF(x, y);
}
