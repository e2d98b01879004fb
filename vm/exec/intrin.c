/* intrin.c - intrinsics that are instructions of the machine. */
#include <math.h>
#include <string.h>

#include "vm/exec/access.h"
#include "vm/exec/arith.h"
#include "vm/exec/call.h"
#include "vm/exec/late.h"
#include "vm/exec/register.h"
#include "vm/machine.h"

static bool defined(const struct vm_obj *f, uint32_t r)
{
    return (vm_shadow(f, r) & 0xff) == 0xff;
}

static void put(struct vm_obj *f, uint32_t r, uint64_t v)
{
    vm_set(f, r, v, 0x00ff);
}

static void put_undefined(struct vm_obj *f, uint32_t r, unsigned w)
{
    vm_obj_put(f, r * 8, 8, 0, ~vm_low(w), 0);
}

static int64_t sext(uint64_t v, unsigned w)
{
    return (int64_t)(v << (64 - w)) >> (64 - w);
}

static bool overflows(enum vm_overflow op, unsigned w, uint64_t a, uint64_t b, uint64_t *r)
{
    int64_t sa = sext(a, w), sb = sext(b, w), sr = 0;
    bool o = false;
    switch (op) {
    case VM_SADD_O: o = __builtin_add_overflow(sa, sb, &sr); break;
    case VM_SSUB_O: o = __builtin_sub_overflow(sa, sb, &sr); break;
    case VM_SMUL_O: o = __builtin_mul_overflow(sa, sb, &sr); break;
    case VM_UADD_O: o = __builtin_add_overflow(a, b, r); break;
    case VM_USUB_O: o = __builtin_sub_overflow(a, b, r); break;
    case VM_UMUL_O: o = __builtin_mul_overflow(a, b, r); break;
    }
    bool is_signed = op == VM_SADD_O || op == VM_SSUB_O || op == VM_SMUL_O;
    if (is_signed) {
        *r = (uint64_t)sr;
        o = o || sext(*r, w) != sr;
    } else {
        o = o || (*r & ~vm_low(w));
    }
    *r &= vm_low(w);
    return o;
}

static uint64_t saturate(enum vm_int2 op, unsigned w, uint64_t a, uint64_t b)
{
    static const enum vm_overflow plain[] = {VM_SADD_O, VM_UADD_O, VM_SSUB_O, VM_USUB_O};
    uint64_t r, top = (uint64_t)1 << (w - 1);
    if (!overflows(plain[op - VM_SADD_SAT], w, a, b, &r))
        return r;
    if (op == VM_UADD_SAT)
        return vm_low(w);
    if (op == VM_USUB_SAT)
        return 0;
    return a & top ? top : top - 1;
}

static uint64_t int2(enum vm_int2 op, unsigned w, uint64_t a, uint64_t b)
{
    int64_t sa = sext(a, w), sb = sext(b, w);
    switch (op) {
    case VM_SMIN: return sa < sb ? a : b;
    case VM_SMAX: return sa > sb ? a : b;
    case VM_UMIN: return a < b ? a : b;
    case VM_UMAX: return a > b ? a : b;
    case VM_PTRMASK: return a & (b | ~0xffffffffull);
    case VM_SCMP: return (uint64_t)((sa > sb) - (sa < sb));
    case VM_UCMP: return (uint64_t)((a > b) - (a < b));
    case VM_SADD_SAT:
    case VM_UADD_SAT:
    case VM_SSUB_SAT:
    case VM_USUB_SAT: return saturate(op, w, a, b);
    }
    return 0;
}

static uint64_t int1(enum vm_int1 op, unsigned w, uint64_t a)
{
    uint64_t r = 0;
    switch (op) {
    case VM_CTPOP: return (uint64_t)__builtin_popcountll(a);
    case VM_CTLZ: return a ? (uint64_t)__builtin_clzll(a) - (64 - w) : w;
    case VM_CTTZ: return a ? (uint64_t)__builtin_ctzll(a) : w;
    case VM_BSWAP: return __builtin_bswap64(a) >> (64 - w);
    case VM_BITREVERSE:
        for (unsigned k = 0; k < w; k++)
            r |= (a >> k & 1) << (w - 1 - k);
        return r;
    case VM_ABS: return sext(a, w) < 0 ? (0 - a) & vm_low(w) : a;
    }
    return 0;
}

static double float1(enum vm_float1 op, double a)
{
    switch (op) {
    case VM_FABS: return fabs(a);
    case VM_SQRT: return sqrt(a);
    case VM_FLOOR: return floor(a);
    case VM_CEIL: return ceil(a);
    case VM_TRUNCF: return trunc(a);
    case VM_RINT: return rint(a);
    case VM_NEARBYINT: return nearbyint(a);
    case VM_ROUND: return round(a);
    case VM_ROUNDEVEN: return roundeven(a);
    case VM_SIN: return sin(a);
    case VM_COS: return cos(a);
    case VM_EXP: return exp(a);
    case VM_EXP2: return exp2(a);
    case VM_LOG: return log(a);
    case VM_LOG2: return log2(a);
    case VM_LOG10: return log10(a);
    case VM_TAN: return tan(a);
    case VM_ASIN: return asin(a);
    case VM_ACOS: return acos(a);
    case VM_ATAN: return atan(a);
    case VM_SINH: return sinh(a);
    case VM_COSH: return cosh(a);
    case VM_TANH: return tanh(a);
    case VM_EXP10: return exp10(a);
    case VM_CANONICAL: return a;
    }
    return 0;
}

/* Computes a power as the compiler's library does. */
static double power(double a, int n)
{
    double r = 1;
    for (unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n; left; left >>= 1, a *= a)
        if (left & 1)
            r *= a;
    return n < 0 ? 1 / r : r;
}

static double float2(enum vm_float2 op, double a, double b)
{
    switch (op) {
    case VM_COPYSIGN: return copysign(a, b);
    case VM_MINNUM: return fmin(a, b);
    case VM_MAXNUM: return fmax(a, b);
    case VM_MINIMUM:
        return isnan(a) || isnan(b) ? NAN : a == b ? (signbit(a) ? a : b) : fmin(a, b);
    case VM_MAXIMUM:
        return isnan(a) || isnan(b) ? NAN : a == b ? (signbit(a) ? b : a) : fmax(a, b);
    case VM_POW: return pow(a, b);
    case VM_POWI: return power(a, (int)b);
    case VM_LDEXP: return ldexp(a, (int)(b > 100000 ? 100000 : b < -100000 ? -100000 : b));
    }
    return 0;
}

static double read_float(const struct vm_obj *f, uint32_t r, unsigned w)
{
    uint64_t v = vm_get(f, r);
    double d;
    float s;
    if (w == 64)
        return memcpy(&d, &v, 8), d;
    return memcpy(&s, &v, 4), s;
}

static void write_float(struct vm_obj *f, uint32_t r, unsigned w, double d)
{
    uint64_t v = 0;
    float s = (float)d;
    if (w == 64)
        memcpy(&v, &d, 8);
    else
        memcpy(&v, &s, 4);
    put(f, r, v);
}

/* Returns the second operand: a float, or an integer of as many bits as flags says. */
static double second(const struct vm_insn *i, const struct vm_obj *f)
{
    if (i->op == VM_OP_FLOAT2 && i->k >= VM_LDEXP)
        return (double)sext(vm_get(f, i->b), i->flags);
    return read_float(f, i->b, i->w);
}

static void floating(const struct vm_insn *i, struct vm_obj *f)
{
    bool two = i->op != VM_OP_FLOAT1;
    if (!defined(f, i->a) || (two && !defined(f, i->b)) ||
        (i->op == VM_OP_FMA && !defined(f, (uint32_t)i->k))) {
        put_undefined(f, i->d, i->w);
        return;
    }
    double a = read_float(f, i->a, i->w), b = two ? second(i, f) : 0;
    if (i->op == VM_OP_FLOAT1)
        write_float(f, i->d, i->w, float1((enum vm_float1)i->k, a));
    else if (i->op == VM_OP_FLOAT2)
        write_float(f, i->d, i->w, float2((enum vm_float2)i->k, a, b));
    else if (i->w == 64)
        write_float(f, i->d, 64, fma(a, b, read_float(f, (uint32_t)i->k, 64)));
    else
        write_float(f, i->d, 32,
                    fmaf((float)a, (float)b, (float)read_float(f, (uint32_t)i->k, 32)));
}

static void rounded(const struct vm_insn *i, struct vm_obj *f)
{
    double a = read_float(f, i->a, i->w), limit = ldexp(1, (int)i->b - 1);
    double r = i->k ? rint(a) : round(a);
    if (!defined(f, i->a) || !(r >= -limit && r < limit))
        put_undefined(f, i->d, i->b);
    else
        put(f, i->d, (uint64_t)(int64_t)r & vm_low(i->b));
}

static void with_overflow(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    static const uint8_t plain[] = {
        [VM_SADD_O] = VM_OP_ADD, [VM_SSUB_O] = VM_OP_SUB, [VM_SMUL_O] = VM_OP_MUL,
        [VM_UADD_O] = VM_OP_ADD, [VM_USUB_O] = VM_OP_SUB, [VM_UMUL_O] = VM_OP_MUL};
    uint64_t r = 0;
    if (!defined(f, i->a) || !defined(f, i->b)) {
        put_undefined(f, i->d, i->w);
        put_undefined(f, i->d + 1, 1);
        return;
    }
    bool o = overflows((enum vm_overflow)i->k, i->w, vm_get(f, i->a), vm_get(f, i->b), &r);
    struct vm_value x =
        vm_compute(plain[i->k], i->w, vm_value_in(f, i->a), vm_value_in(f, i->b));
    if (x.p == VM_DERIVED)
        vm_break(vm, VM_ASSUMES_ADDRESSES);
    vm_set(f, i->d, r, (uint16_t)(x.p << 8 | 0xff));
    put(f, i->d + 1, o);
}

static void integer(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    if (!defined(f, i->a) || (i->op == VM_OP_INT2 && !defined(f, i->b))) {
        put_undefined(f, i->d, i->w);
        return;
    }
    uint64_t a = vm_get(f, i->a);
    if (i->op == VM_OP_INT1 && i->flags && a == (i->k == VM_ABS ? 1ull << (i->w - 1) : 0)) {
        put_undefined(f, i->d, i->w);
        return;
    }
    uint16_t tags = vm_shadow(f, i->a) | (i->op == VM_OP_INT2 ? vm_shadow(f, i->b) : 0);
    if (i->op == VM_OP_INT2 && i->k == VM_PTRMASK) {
        vm_set(f, i->d, int2(VM_PTRMASK, i->w, a, vm_get(f, i->b)), vm_shadow(f, i->a));
        return;
    }
    if (tags >> 8)
        vm_break(vm, VM_ASSUMES_ADDRESSES);
    if (i->op == VM_OP_INT1)
        put(f, i->d, int1((enum vm_int1)i->k, i->w, a));
    else
        put(f, i->d, int2((enum vm_int2)i->k, i->w, a, vm_get(f, i->b)) & vm_low(i->w));
}

/* ---- float classes, saturating conversions, half --------------------------------- */

static void split(const struct vm_insn *i, struct vm_obj *f)
{
    int exponent = 0;
    if (!defined(f, i->a)) {
        put_undefined(f, i->d, i->w);
        put_undefined(f, i->d + 1, i->b);
        return;
    }
    double a = read_float(f, i->a, i->w), r = frexp(a, &exponent);
    write_float(f, i->d, i->w, r);
    put(f, i->d + 1, (uint64_t)(int64_t)(isfinite(a) ? exponent : 0) & vm_low(i->b));
}

/* Returns the bit of llvm.is.fpclass: signaling and quiet NaN, then from -inf up to +inf. */
static unsigned class_of(uint64_t v, unsigned w)
{
    unsigned mantissa = w == 64 ? 52 : w == 32 ? 23 : 10;
    uint64_t fraction = v & vm_low(mantissa),
             exponent = v >> mantissa & vm_low(w - 1 - mantissa);
    bool negative = v >> (w - 1) & 1, top = exponent == vm_low(w - 1 - mantissa);
    unsigned size = top ? 0 : exponent ? 1 : fraction ? 2 : 3;
    if (top && fraction)
        return fraction >> (mantissa - 1) & 1 ? 2 : 1;
    return 1u << (negative ? 2 + size : 9 - size);
}

static void to_int_sat(const struct vm_insn *i, struct vm_obj *f)
{
    double a = trunc(read_float(f, i->a, i->w));
    unsigned w = i->b - (i->k != 0);
    double limit = ldexp(1, (int)w);
    uint64_t r;
    if (isnan(a) || (!i->k && a < 0))
        r = 0;
    else if (a >= limit)
        r = w ? vm_low(w) : 0;
    else if (a < -limit)
        r = (uint64_t)1 << w;
    else
        r = a < 0 ? 0 - (uint64_t)-a : (uint64_t)a;
    put(f, i->d, r & vm_low(i->b));
}

/* Exponent and fraction bits of half and bfloat. */
struct format {
    int exponent, fraction;
};

static struct format format_of(const struct vm_insn *i)
{
    return i->k ? (struct format){8, 7} : (struct format){5, 10};
}

static double from_half(struct format t, uint64_t v)
{
    int bias = (1 << (t.exponent - 1)) - 1,
        e = (int)(v >> t.fraction & vm_low((unsigned)t.exponent));
    uint64_t fraction = v & vm_low((unsigned)t.fraction);
    double r;
    if (e == (1 << t.exponent) - 1)
        r = fraction ? NAN : INFINITY;
    else if (e == 0)
        r = ldexp((double)fraction, 1 - bias - t.fraction);
    else
        r = ldexp((double)(fraction | 1ull << t.fraction), e - bias - t.fraction);
    return v >> 15 & 1 ? -r : r;
}

static uint64_t to_half(struct format t, double a)
{
    int bias = (1 << (t.exponent - 1)) - 1, e;
    uint64_t sign = signbit(a) ? 1ull << 15 : 0, infinite = vm_low((unsigned)t.exponent)
                                                            << t.fraction;
    if (isnan(a))
        return sign | infinite | 1ull << (t.fraction - 1);
    if (isinf(a) || a == 0)
        return sign | (a == 0 ? 0 : infinite);
    frexp(a, &e);
    e = e - 1 < 1 - bias ? 1 - bias : e - 1;
    double units = rint(ldexp(fabs(a), t.fraction - e)); /* a carry goes into the exponent */
    uint64_t r = (uint64_t)(e + bias - 1) * (1ull << t.fraction) + (uint64_t)units;
    return sign | (r < infinite ? r : infinite);
}

static void convert(const struct vm_insn *i, struct vm_obj *f)
{
    bool back = i->op == VM_OP_TO_HALF;
    unsigned w = i->op == VM_OP_FPCLASS ? 1 : i->op == VM_OP_TO_INT_SAT ? i->b : back ? 16 : 32;
    if (!defined(f, i->a))
        put_undefined(f, i->d, w);
    else if (i->op == VM_OP_FPCLASS)
        put(f, i->d, (class_of(vm_get(f, i->a), i->w) & i->k) != 0);
    else if (i->op == VM_OP_TO_INT_SAT)
        to_int_sat(i, f);
    else if (back)
        put(f, i->d, to_half(format_of(i), read_float(f, i->a, i->w)));
    else
        write_float(f, i->d, 32, from_half(format_of(i), vm_get(f, i->a)));
}

static enum vm_step assume(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    if (!defined(f, i->a))
        return vm_fault(vm, VM_FAULT_UNDEFINED, "an assumption about an undefined value");
    if (!(vm_get(f, i->a) & 1))
        return vm_fault(vm, VM_FAULT_UNREACHABLE, "an assumption is false");
    return VM_STEP_NEXT;
}

/* Returns the fault of a check of clang's that failed.  Its operand is defined, since the check
 * has compared it. */
static enum vm_step checked(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f)
{
    if (!i->w)
        return vm_fault(vm, VM_FAULT_BOUNDS, "a constant index out of its array");
    long long value = (long long)(vm_get(f, i->a) << (64 - i->w)) >> (64 - i->w);
    if (i->k == VM_CHECKED_LENGTH)
        return vm_fault(vm, VM_FAULT_ARRAY_LENGTH, "an array of %lld elements", value);
    return vm_fault(vm, VM_FAULT_BOUNDS, "index %lld of an array of %llu elements", value,
                    (unsigned long long)vm_get(f, i->b));
}

static void funnel(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint32_t by = (uint32_t)(i->k >> 1);
    if (!defined(f, i->a) || !defined(f, i->b) || !defined(f, by)) {
        put_undefined(f, i->d, i->w);
        return;
    }
    if ((vm_shadow(f, i->a) | vm_shadow(f, i->b)) >> 8)
        vm_break(vm, VM_ASSUMES_ADDRESSES);
    for (unsigned k = 0; k < 2; k++)
        if (vm_shadow(f, k ? i->b : i->a) >> 8 == 0xff)
            vm_expose(vm, vm_get(f, k ? i->b : i->a));
    unsigned w = i->w, n = (unsigned)(vm_get(f, by) % w);
    uint64_t a = vm_get(f, i->a), b = vm_get(f, i->b), r;
    if (i->k & 1)
        r = n ? a << n | b >> (w - n) : a;
    else
        r = n ? a << (w - n) | b >> n : b;
    put(f, i->d, r & vm_low(w));
}

/* Makes a System V va_list: registers used up, everything in the overflow area. */
static enum vm_step va_start(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    struct vm_obj *o;
    uint64_t p = vm_get(f, i->a);
    enum vm_step step = vm_access_plainly(vm, p, vm_shadow(f, i->a), VM_VA_LIST, true, &o);
    if (step != VM_STEP_NEXT)
        return step;
    o = vm_heap_own(&vm->heap, p, o);
    vm_obj_put(o, (uint32_t)p, 8, 176ull << 32 | 48, ~0ull, 0);
    vm_obj_put(o, (uint32_t)p + 8, 8, vm_get(f, i->b), ~0ull, 0xff);
    vm_obj_put(o, (uint32_t)p + 16, 8, 0, ~0ull, 0);
    return VM_STEP_NEXT;
}

static enum vm_step object_size(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, vm_get(f, i->a));
    uint32_t off = (uint32_t)vm_get(f, i->a);
    enum vm_step step = vm_meet_others(vm, o);
    if (step != VM_STEP_NEXT)
        return step;
    if (o)
        vm_owner_ask(vm, o);
    put(f, i->d, o && off <= o->size ? o->size - off : i->k ? 0 : ~0ull);
    return VM_STEP_NEXT;
}

enum vm_step vm_slow_intrinsic(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    switch (i->op) {
    case VM_OP_OVERFLOW: with_overflow(vm, i, f); break;
    case VM_OP_INT1:
    case VM_OP_INT2: integer(vm, i, f); break;
    case VM_OP_FSHIFT: funnel(vm, i, f); break;
    case VM_OP_FLOAT1:
    case VM_OP_FLOAT2:
    case VM_OP_FMA: floating(i, f); break;
    case VM_OP_ROUNDED: rounded(i, f); break;
    case VM_OP_FREXP: split(i, f); break;
    case VM_OP_FPCLASS:
    case VM_OP_TO_INT_SAT:
    case VM_OP_FROM_HALF:
    case VM_OP_TO_HALF: convert(i, f); break;
    case VM_OP_ASSUME: return assume(vm, i, f);
    case VM_OP_CHECKED: return checked(vm, i, f);
    case VM_OP_VA_START: return va_start(vm, i, f);
    default: return object_size(vm, i, f);
    }
    return VM_STEP_NEXT;
}
