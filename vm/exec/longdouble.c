/* longdouble.c - arithmetic of x86_fp80 and fp128, with the host's own long double and
 * __float128. */
#include "longdouble.h"

#include <math.h>
#include <string.h>

#include "vm/exec/arith.h"
#include "vm/exec/call.h"
#include "vm/exec/register.h"
#include "vm/machine.h"

/* The C library has these functions, but its headers declare them for other compilers only. */
#define QUAD1(name) __float128 name##f128(__float128);
#define QUAD2(name) __float128 name##f128(__float128, __float128);
QUAD1(fabs)
QUAD1(sqrt)
QUAD1(floor)
QUAD1(ceil)
QUAD1(trunc)
QUAD1(rint)
QUAD1(nearbyint)
QUAD1(round)
QUAD1(roundeven)
QUAD1(sin)
QUAD1(cos)
QUAD1(exp)
QUAD1(exp2)
QUAD1(exp10)
QUAD1(log)
QUAD1(log2)
QUAD1(log10)
QUAD1(tan)
QUAD1(asin)
QUAD1(acos)
QUAD1(atan)
QUAD1(sinh)
QUAD1(cosh)
QUAD1(tanh)
QUAD2(copysign)
QUAD2(fmin)
QUAD2(fmax)
QUAD2(pow)
QUAD2(fmod)
__float128 fmaf128(__float128, __float128, __float128);
__float128 ldexpf128(__float128, int);

#define REAL long double
#define NAME(f) f##_long
#define LIB(f) f##l
#include "longdouble_format.inc"
#define REAL __float128
#define NAME(f) f##_quad
#define LIB(f) f##f128
#include "longdouble_format.inc"

union real {
    long double x;
    __float128 q;
    uint64_t word[2];
};

static bool defined(const struct vm_obj *f, uint32_t r, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (vm_mask(f, r + k) != ~0ull)
            return false;
    return true;
}

static union real get(const struct vm_obj *f, uint32_t r)
{
    union real a = {.q = 0};
    a.word[0] = vm_get(f, r);
    a.word[1] = vm_get(f, r + 1);
    return a;
}

static void put(struct vm_obj *f, uint32_t r, union real a, bool quad)
{
    vm_set(f, r, a.word[0], 0x00ff);
    vm_set(f, r + 1, a.word[1] & (quad ? ~0ull : 0xffff), 0x00ff);
}

static void put_words(struct vm_obj *f, uint32_t r, unsigned __int128 v, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++, v >>= 64)
        vm_set(f, r + k, (uint64_t)v, 0x00ff);
}

/* Returns how many bits of the result's last register count; the other register is full. */
static unsigned last_bits(const struct vm_insn *i, const struct vm_longdouble *x)
{
    if (x->op == VM_L_TO_INT || x->op == VM_L_TO_FLOAT)
        return (i->w - 1u) % 64 + 1;
    if (x->op == VM_L_COMPARE || x->op == VM_L_CLASS)
        return 1;
    return x->quad != (x->op == VM_L_CONVERT) ? 64 : 16;
}

static void put_undefined(const struct vm_insn *i, const struct vm_longdouble *x,
                          struct vm_obj *f)
{
    for (uint32_t k = 0; k < x->nd; k++)
        vm_obj_put(f, (i->d + k) * 8, 8, 0,
                   k + 1 < x->nd          ? 0
                   : last_bits(i, x) < 64 ? ~vm_low(last_bits(i, x))
                                          : 0,
                   0);
}

/* Returns the class as llvm.is.fpclass numbers it. */
static unsigned class_of(union real a, bool quad)
{
    uint64_t exponent = (quad ? a.word[1] >> 48 : a.word[1]) & 0x7fff;
    uint64_t high = quad ? a.word[1] << 16 : a.word[0] << 1; /* the fraction's top bit first */
    bool negative = (quad ? a.word[1] >> 63 : a.word[1] >> 15) & 1,
         fraction = high || (quad && a.word[0]);
    unsigned size = exponent == 0x7fff ? 0 : exponent ? 1 : fraction ? 2 : 3;
    if (exponent == 0x7fff && fraction)
        return high >> 63 ? 2 : 1;
    return 1u << (negative ? 2 + size : 9 - size);
}

static union real from_int(const struct vm_insn *i, const struct vm_longdouble *x,
                           const struct vm_obj *f)
{
    union real r = {.q = 0};
    unsigned __int128 v = vm_get(f, i->a);
    unsigned s = 128u - i->w;
    if (x->na > 1)
        v |= (unsigned __int128)vm_get(f, i->a + 1) << 64;
    __int128 extended = (__int128)(v << s) >> s;
    if (x->quad)
        r.q = x->detail ? (__float128)extended : (__float128)v;
    else
        r.x = x->detail ? (long double)extended : (long double)v;
    return r;
}

static union real from_float(const struct vm_insn *i, const struct vm_longdouble *x,
                             const struct vm_obj *f)
{
    union real r = {.q = 0};
    uint64_t v = vm_get(f, i->a);
    double d;
    float s;
    memcpy(&d, &v, 8);
    memcpy(&s, &v, 4);
    d = i->w == 32 ? s : d;
    if (x->quad)
        r.q = d;
    else
        r.x = d;
    return r;
}

static uint64_t to_float(union real a, bool quad, unsigned w)
{
    uint64_t v = 0;
    double d = quad ? (double)a.q : (double)a.x;
    float s = quad ? (float)a.q : (float)a.x;
    if (w == 64)
        memcpy(&v, &d, 8);
    else
        memcpy(&v, &s, 4);
    return v;
}

static enum vm_step to_int(struct vm *vm, const struct vm_insn *i,
                           const struct vm_longdouble *x, struct vm_obj *f, union real a)
{
    unsigned __int128 r = 0;
    unsigned s = 128u - i->w;
    bool fits =
        x->quad ? to_int_quad(a.q, i->w, x->detail, &r) : to_int_long(a.x, i->w, x->detail, &r);
    if (!fits && i->flags & VM_CHECKED)
        return vm_fault(vm, VM_FAULT_FLOAT_CAST, "%Lg is out of range of a %u-bit integer",
                        x->quad ? (long double)a.q : a.x, i->w);
    if (fits)
        put_words(f, i->d, r << s >> s, x->nd);
    else
        put_undefined(i, x, f);
    return VM_STEP_NEXT;
}

/* Computes an operation whose result has the same format. */
static union real compute(const struct vm_insn *i, const struct vm_longdouble *x,
                          const struct vm_obj *f, union real a)
{
    union real b = x->nb == 2 ? get(f, i->b) : (union real){.q = 0}, r = {.q = 0};
    if (x->nb == 1) { /* an integer */
        int64_t n = (int64_t)(vm_get(f, i->b) << (64 - i->w)) >> (64 - i->w);
        if (x->quad)
            b.q = n;
        else
            b.x = n;
    }
    union real c = x->nc ? get(f, (uint32_t)i->k) : r;
    if (x->op == VM_L_FLOAT1 && x->quad)
        r.q = unary_quad((enum vm_float1)x->detail, a.q);
    else if (x->op == VM_L_FLOAT1)
        r.x = unary_long((enum vm_float1)x->detail, a.x);
    else if (x->op == VM_L_FLOAT2 && x->quad)
        r.q = binary_quad((enum vm_float2)x->detail, a.q, b.q);
    else if (x->op == VM_L_FLOAT2)
        r.x = binary_long((enum vm_float2)x->detail, a.x, b.x);
    else if (x->op == VM_L_FMA && x->quad)
        r.q = fmaf128(a.q, b.q, c.q);
    else if (x->op == VM_L_FMA)
        r.x = fmal(a.x, b.x, c.x);
    else if (x->quad)
        r.q = arithmetic_quad(x->op, a.q, b.q);
    else
        r.x = arithmetic_long(x->op, a.x, b.x);
    return r;
}

/* Negates a number: the sign is a bit, also of a NaN. */
static union real negate(union real a, bool quad)
{
    a.word[1] ^= quad ? 1ull << 63 : 1ull << 15;
    return a;
}

static union real convert(union real a, bool from_quad)
{
    union real r = {.q = 0};
    if (from_quad)
        r.x = (long double)a.q;
    else
        r.q = (__float128)a.x;
    return r;
}

static bool relation(const struct vm_insn *i, const struct vm_longdouble *x,
                     const struct vm_obj *f, union real a)
{
    union real b = get(f, i->b);
    return x->quad ? compare_quad(x->detail, a.q, b.q) : compare_long(x->detail, a.x, b.x);
}

enum vm_step vm_longdouble(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    struct vm_longdouble x = vm_longdouble_decode(i->k, i->w);
    if (!defined(f, i->a, x.na) || !defined(f, i->b, x.nb) ||
        !defined(f, (uint32_t)i->k, x.nc)) {
        put_undefined(i, &x, f);
        return VM_STEP_NEXT;
    }
    union real a = x.na == 2 ? get(f, i->a) : (union real){.q = 0};
    switch (x.op) {
    case VM_L_ADD:
    case VM_L_SUB:
    case VM_L_MUL:
    case VM_L_DIV:
    case VM_L_REM:
    case VM_L_FLOAT2:
    case VM_L_FLOAT1:
    case VM_L_FMA: put(f, i->d, compute(i, &x, f, a), x.quad); break;
    case VM_L_NEG: put(f, i->d, negate(a, x.quad), x.quad); break;
    case VM_L_COMPARE: put_words(f, i->d, relation(i, &x, f, a), 1); break;
    case VM_L_CLASS: put_words(f, i->d, (class_of(a, x.quad) & x.detail) != 0, 1); break;
    case VM_L_FROM_INT: put(f, i->d, from_int(i, &x, f), x.quad); break;
    case VM_L_TO_INT: return to_int(vm, i, &x, f, a);
    case VM_L_FROM_FLOAT: put(f, i->d, from_float(i, &x, f), x.quad); break;
    case VM_L_TO_FLOAT: put_words(f, i->d, to_float(a, x.quad, i->w), 1); break;
    case VM_L_CONVERT: put(f, i->d, convert(a, x.quad), !x.quad); break;
    }
    return VM_STEP_NEXT;
}
