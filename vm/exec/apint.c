/* apint.c - the instruction APINT: integers of more than 64 bits. */
#include "apint.h"

#include <math.h>
#include <string.h>

#include "bignum.h"
#include "vm/exec/arith.h"
#include "vm/exec/call.h"
#include "vm/exec/register.h"

static enum vm_step bad_division(struct vm *vm, bool zero, unsigned w)
{
    if (zero)
        return vm_fault(vm, VM_FAULT_DIVISION, "division by zero in %u bits", w);
    return vm_fault(vm, VM_FAULT_OVERFLOW, "signed overflow of a division in %u bits", w);
}

static bool is_least(const struct bignum *x)
{
    struct bignum least;
    bignum_set_defined(&least, x->w);
    least.v[(x->w - 1) / 64] = 1ull << ((x->w - 1) % 64);
    return bignum_compare(x, &least, false) == 0;
}

static enum vm_step division(struct vm *vm, const struct vm_insn *i, enum vm_apint_op op,
                             struct bignum *r, const struct bignum *a, const struct bignum *b)
{
    struct bignum q, rest;
    bool is_signed = op == VM_W_SDIV || op == VM_W_SREM,
         quotient = op == VM_W_UDIV || op == VM_W_SDIV;
    if (!bignum_is_defined(b))
        return vm_fault(vm, VM_FAULT_UNDEFINED, "division by an undefined value");
    if (bignum_is_zero(b))
        return bad_division(vm, true, a->w);
    if (!bignum_is_defined(a)) {
        bignum_set_undefined(r, a->w);
        return VM_STEP_NEXT;
    }
    struct bignum minus;
    bignum_set_defined(&minus, a->w);
    bignum_invert(&minus, &minus);
    if (is_signed && is_least(a) && bignum_compare(b, &minus, false) == 0)
        return bad_division(vm, false, a->w);
    if (is_signed)
        bignum_divide_signed(&q, &rest, a, b);
    else
        bignum_divide(&q, &rest, a, b);
    *r = quotient ? q : rest;
    if (quotient && i->flags & VM_EXACT && !bignum_is_zero(&rest))
        bignum_set_undefined(r, a->w);
    return VM_STEP_NEXT;
}

/* Computes a sum, difference or product of defined numbers; *s and *u: it overflows as a
 * signed, an unsigned number. */
static void arithmetic(enum vm_apint_op op, struct bignum *r, const struct bignum *a,
                       const struct bignum *b, bool *s, bool *u)
{
    struct bignum t;
    bool sa = bignum_is_negative(a), sb = bignum_is_negative(b);
    bignum_set_defined(r, a->w);
    if (op == VM_W_ADD) {
        *u = bignum_add(r, a, b, false);
        *s = sa == sb && bignum_is_negative(r) != sa;
    } else if (op == VM_W_SUB) {
        *u = bignum_sub(r, a, b);
        *s = sa != sb && bignum_is_negative(r) != sa;
    } else {
        *u = bignum_mul(r, a, b);
        bignum_set_defined(&t, a->w);
        *s = bignum_mul_signed(&t, a, b);
    }
}

static enum vm_step flagged(struct vm *vm, const struct vm_insn *i, struct bignum *r, bool s,
                            bool u)
{
    if (i->flags & VM_NSW && s) {
        if (i->flags & VM_CHECKED)
            return vm_fault(vm, VM_FAULT_OVERFLOW, "signed overflow in %u bits", r->w);
        bignum_set_undefined(r, r->w);
    }
    if (i->flags & VM_NUW && u)
        bignum_set_undefined(r, r->w);
    return VM_STEP_NEXT;
}

/* Computes a sum of which operands are undefined in part: bits below the first undefined one of
 * either operand are known. */
static void partial_sum(enum vm_apint_op op, struct bignum *r, const struct bignum *a,
                        const struct bignum *b)
{
    bool s, u, known = true;
    arithmetic(op, r, a, b, &s, &u);
    for (uint32_t k = 0; k < bignum_words(a); k++) {
        uint64_t m = a->m[k] & b->m[k];
        r->m[k] = !known ? 0 : ~m ? (1ull << __builtin_ctzll(~m)) - 1 : ~0ull;
        known = known && m == ~0ull;
    }
    bignum_trim(r);
}

static bool shifts_too_far(const struct bignum *a, const struct bignum *b)
{
    bool far = b->v[0] >= a->w;
    for (uint32_t k = 1; k < bignum_words(b); k++)
        far |= b->v[k] != 0;
    return far;
}

static enum vm_step shift(struct vm *vm, const struct vm_insn *i, enum vm_apint_op op,
                          struct bignum *r, const struct bignum *a, const struct bignum *b)
{
    bignum_set_undefined(r, a->w);
    if (!bignum_is_defined(b))
        return VM_STEP_NEXT;
    bool huge = shifts_too_far(a, b);
    if (huge && i->flags & VM_CHECKED)
        return vm_fault(vm, VM_FAULT_SHIFT, "shift of a %u-bit value by %lld", a->w,
                        (long long)b->v[0]);
    if (huge)
        return VM_STEP_NEXT;
    unsigned by = (unsigned)b->v[0];
    struct bignum back;
    if (by % 8)
        bignum_note_computed(vm, a);
    if (op == VM_W_SHL)
        bignum_shift_left(r, a, by);
    else
        bignum_shift_right(r, a, by, op == VM_W_ASHR);
    if (!bignum_is_defined(a) || !(i->flags & (VM_NSW | VM_NUW | VM_EXACT)))
        return VM_STEP_NEXT;
    struct bignum signed_back;
    if (op == VM_W_SHL) {
        bignum_shift_right(&back, r, by, false);
        bignum_shift_right(&signed_back, r, by, true);
        return flagged(vm, i, r, bignum_compare(&signed_back, a, false),
                       bignum_compare(&back, a, false));
    }
    bignum_shift_left(&back, r, by);
    if (bignum_compare(&back, a, false))
        bignum_set_undefined(r, a->w);
    return VM_STEP_NEXT;
}

static void saturate(enum vm_apint_op op, struct bignum *r, const struct bignum *a,
                     const struct bignum *b)
{
    bool s, u, is_signed = op == VM_W_SADD_SAT || op == VM_W_SSUB_SAT || op == VM_W_SSHL_SAT;
    if (op >= VM_W_SSHL_SAT) {
        struct bignum back, shifted;
        unsigned by = (unsigned)b->v[0];
        bignum_shift_left(&shifted, a, by);
        bignum_shift_right(&back, &shifted, by, is_signed);
        *r = shifted;
        s = u = bignum_compare(&back, a, false) != 0;
    } else {
        bool adds = op == VM_W_SADD_SAT || op == VM_W_UADD_SAT;
        arithmetic(adds ? VM_W_ADD : VM_W_SUB, r, a, b, &s, &u);
    }
    if (is_signed ? !s : !u)
        return;
    bignum_set_defined(r, a->w);
    if (is_signed) {
        r->v[(a->w - 1) / 64] = 1ull << ((a->w - 1) % 64);
        if (!bignum_is_negative(a))
            bignum_invert(r, r);
    } else if (op != VM_W_USUB_SAT) {
        bignum_invert(r, r);
    }
}

static bool predicate(enum vm_apint_op op, int s, int u)
{
    switch ((int)op) {
    case VM_W_EQ: return u == 0;
    case VM_W_NE: return u != 0;
    case VM_W_UGT: return u > 0;
    case VM_W_UGE: return u >= 0;
    case VM_W_ULT: return u < 0;
    case VM_W_ULE: return u <= 0;
    case VM_W_SGT: return s > 0;
    case VM_W_SGE: return s >= 0;
    case VM_W_SLT: return s < 0;
    default: return s <= 0;
    }
}

/* Are the two known to differ?  One pair of defined bits that differ is enough. */
static bool differ(const struct bignum *a, const struct bignum *b)
{
    for (uint32_t k = 0; k < bignum_words(a); k++)
        if ((a->v[k] ^ b->v[k]) & a->m[k] & b->m[k])
            return true;
    return false;
}

static void relation(struct vm *vm, struct vm_apint x, struct bignum *r, const struct bignum *a,
                     const struct bignum *b)
{
    bool equality = x.op == VM_W_EQ || x.op == VM_W_NE;
    bignum_set_undefined(r, x.to);
    if (!equality) {
        bignum_note_computed(vm, a);
        bignum_note_computed(vm, b);
    }
    if (equality && differ(a, b)) {
        bignum_set_small(r, x.to, x.op == VM_W_NE);
    } else if (bignum_is_defined(a) && bignum_is_defined(b)) {
        int s = bignum_compare(a, b, true), u = bignum_compare(a, b, false);
        uint64_t v = x.op == VM_W_SCMP   ? (uint64_t)(int64_t)s
                     : x.op == VM_W_UCMP ? (uint64_t)(int64_t)u
                                         : predicate(x.op, s, u);
        bignum_set_small(r, x.to, v);
    }
}

static unsigned leading_zeros(const struct bignum *a)
{
    unsigned n = 0;
    while (n < a->w && !bignum_bit(a->v, a->w - 1 - n))
        n++;
    return n;
}

static void count(enum vm_apint_op op, struct bignum *r, const struct bignum *a)
{
    unsigned n = 0;
    if (op == VM_W_CTPOP)
        for (uint32_t k = 0; k < bignum_words(a); k++)
            n += (unsigned)__builtin_popcountll(a->v[k]);
    else if (op == VM_W_CTLZ)
        n = leading_zeros(a);
    else
        while (n < a->w && !bignum_bit(a->v, n))
            n++;
    bignum_set_small(r, a->w, n);
}

static void reverse(enum vm_apint_op op, struct bignum *r, const struct bignum *a)
{
    unsigned unit = op == VM_W_BSWAP ? 8 : 1;
    bignum_set_defined(r, a->w);
    for (unsigned k = 0; k < a->w; k++) {
        unsigned to = a->w - unit - k / unit * unit + k % unit;
        if (bignum_bit(a->v, k))
            r->v[to / 64] |= 1ull << (to % 64);
    }
}

/* Computes an operation of one operand.  flags: VM_NSW of abs, VM_NUW of the counts: the
 * special operand gives poison. */
static void unary(const struct vm_insn *i, enum vm_apint_op op, struct bignum *r,
                  const struct bignum *a)
{
    bignum_set_undefined(r, a->w);
    if (!bignum_is_defined(a) ||
        (i->flags && (op == VM_W_ABS ? is_least(a) : bignum_is_zero(a))))
        return;
    switch ((int)op) {
    case VM_W_ABS: bignum_magnitude(r, a); break;
    case VM_W_BSWAP:
    case VM_W_BITREVERSE: reverse(op, r, a); break;
    default: count(op, r, a); break;
    }
}

static void funnel(enum vm_apint_op op, struct bignum *r, const struct bignum *a,
                   const struct bignum *b, const struct bignum *c)
{
    struct bignum q, rest, width, x, y;
    bignum_set_undefined(r, a->w);
    if (!bignum_is_defined(c))
        return;
    bignum_set_small(&width, a->w, a->w);
    bignum_divide(&q, &rest, c, &width);
    unsigned by = (unsigned)rest.v[0], left = op == VM_W_FSHL ? by : a->w - by;
    if (by == 0) {
        *r = op == VM_W_FSHL ? *a : *b;
        return;
    }
    bignum_shift_left(&x, a, left);
    bignum_shift_right(&y, b, a->w - left, false);
    bignum_set_defined(r, a->w);
    for (uint32_t k = 0; k < bignum_words(a); k++)
        r->v[k] = x.v[k] | y.v[k], r->m[k] = x.m[k] & y.m[k], r->p[k] = x.p[k] | y.p[k];
}

/* ---- to and from float and double ------------------------------------------------ */

/* Returns the nearest double, or float, ties to even: from the top 64 bits with a sticky
 * one. */
static double nearest(const struct bignum *a, bool to_float)
{
    unsigned zeros = leading_zeros(a), used = a->w - zeros;
    if (used <= 64)
        return to_float ? (double)(float)a->v[0] : (double)a->v[0];
    struct bignum top, back;
    bignum_shift_right(&top, a, used - 64, false);
    bignum_shift_left(&back, &top, used - 64);
    uint64_t v = top.v[0] | (bignum_compare(&back, a, false) != 0);
    return ldexp(to_float ? (double)(float)v : (double)v, (int)used - 64);
}

static void to_float(struct vm_obj *f, uint32_t d, struct vm_apint x, const struct bignum *a)
{
    struct bignum abs;
    if (!bignum_is_defined(a)) {
        vm_obj_put(f, d * 8, 8, 0, ~vm_low(x.to), 0);
        return;
    }
    bool negative = x.op == VM_W_TO_FLOAT_S && bignum_is_negative(a);
    if (negative)
        bignum_magnitude(&abs, a);
    else
        abs = *a;
    double v = nearest(&abs, x.to == 32);
    v = negative ? -v : v;
    float s = (float)v;
    uint64_t bits = 0;
    memcpy(&bits, x.to == 32 ? (void *)&s : (void *)&v, x.to / 8);
    vm_set(f, d, bits, 0x00ff);
}

static enum vm_step from_float(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                               struct vm_apint x, struct bignum *r)
{
    uint64_t bits = vm_get(f, i->a);
    double v;
    float s;
    memcpy(&v, &bits, 8);
    memcpy(&s, &bits, 4);
    v = trunc(x.from == 32 ? s : v);
    bignum_set_undefined(r, x.to);
    if (vm_mask(f, i->a) != ~0ull)
        return VM_STEP_NEXT;
    bool is_signed = x.op == VM_W_FROM_FLOAT_S;
    double limit = ldexp(1, (int)x.to - is_signed);
    if (!(v < limit && v >= (is_signed ? -limit : 0))) {
        if (i->flags & VM_CHECKED)
            return vm_fault(vm, VM_FAULT_FLOAT_CAST, "%g is out of range of a %u-bit integer",
                            v, x.to);
        return VM_STEP_NEXT;
    }
    bignum_set_defined(r, x.to);
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(v), &exponent), 53);
    struct bignum m;
    bignum_set_small(&m, x.to, mantissa);
    if (exponent >= 53)
        bignum_shift_left(r, &m, (unsigned)exponent - 53);
    else
        bignum_set_small(r, x.to, (uint64_t)fabs(v));
    if (v < 0)
        bignum_negate(r, r);
    return VM_STEP_NEXT;
}

/* ---- dispatch -------------------------------------------------------------------- */

static enum vm_step with_overflow(const struct vm_insn *i, struct vm_obj *f,
                                  enum vm_apint_op op, const struct bignum *a,
                                  const struct bignum *b)
{
    static const enum vm_apint_op plain[] = {VM_W_ADD, VM_W_ADD, VM_W_SUB,
                                             VM_W_SUB, VM_W_MUL, VM_W_MUL};
    struct bignum r;
    bool s, u, is_signed = op == VM_W_SADD_O || op == VM_W_SSUB_O || op == VM_W_SMUL_O;
    uint32_t flag = i->d + bignum_words(a);
    if (!bignum_is_defined(a) || !bignum_is_defined(b)) {
        bignum_set_undefined(&r, a->w);
        vm_obj_put(f, flag * 8, 8, 0, ~1ull, 0);
    } else {
        arithmetic(plain[op - VM_W_SADD_O], &r, a, b, &s, &u);
        vm_set(f, flag, is_signed ? s : u, 0x00ff);
    }
    bignum_write(f, i->d, &r);
    return VM_STEP_NEXT;
}

static enum vm_step binary(struct vm *vm, const struct vm_insn *i, enum vm_apint_op op,
                           struct bignum *r, const struct bignum *a, const struct bignum *b)
{
    bool known = bignum_is_defined(a) && bignum_is_defined(b), s, u;
    if (op >= VM_W_AND && op <= VM_W_XOR) {
        bignum_bitwise(vm, op, r, a, b);
        for (uint32_t k = 0; i->flags & VM_DISJOINT && k < bignum_words(a); k++)
            if (a->v[k] & b->v[k]) {
                bignum_set_undefined(r, a->w);
                break;
            }
        return VM_STEP_NEXT;
    }
    if (op >= VM_W_SHL && op <= VM_W_ASHR)
        return shift(vm, i, op, r, a, b);
    bignum_note_computed(vm, a);
    bignum_note_computed(vm, b);
    if (op >= VM_W_UDIV && op <= VM_W_SREM)
        return division(vm, i, op, r, a, b);
    if (op <= VM_W_MUL && !known) {
        partial_sum(op, r, a, b);
    } else if (op <= VM_W_MUL) {
        arithmetic(op, r, a, b, &s, &u);
        return flagged(vm, i, r, s, u);
    } else if (!known || (op >= VM_W_SSHL_SAT && shifts_too_far(a, b))) {
        bignum_set_undefined(r, a->w);
    } else if (op >= VM_W_SADD_SAT) {
        saturate(op, r, a, b);
    } else {
        int c = bignum_compare(a, b, op == VM_W_SMIN || op == VM_W_SMAX);
        *r = (op == VM_W_SMIN || op == VM_W_UMIN) == (c < 0) ? *a : *b;
    }
    return VM_STEP_NEXT;
}

/* Does a conversion with flags lose anything of the value?  Then the result is poison. */
static bool loses(const struct vm_insn *i, unsigned to, const struct bignum *a)
{
    struct bignum r, back;
    if (!i->flags || !bignum_is_defined(a))
        return false;
    if (to > a->w) /* zext nneg */
        return i->flags & VM_NSW && bignum_is_negative(a);
    bignum_resize(&r, a, to, false);
    for (unsigned k = 0; k < 2; k++) {
        bignum_resize(&back, &r, a->w, k == 1);
        if (i->flags & (k ? VM_NSW : VM_NUW) && bignum_compare(&back, a, false) != 0)
            return true;
    }
    return false;
}

enum vm_step vm_apint(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    struct vm_apint x = vm_apint_decode(i->k);
    struct bignum a, b, c, r;
    enum vm_step step = VM_STEP_NEXT;
    if (x.op == VM_W_FROM_FLOAT_S || x.op == VM_W_FROM_FLOAT_U) {
        step = from_float(vm, i, f, x, &r);
        if (step == VM_STEP_NEXT)
            bignum_write(f, i->d, &r);
        return step;
    }
    bignum_read(&a, f, i->a, x.from);
    if (x.op == VM_W_TO_FLOAT_S || x.op == VM_W_TO_FLOAT_U) {
        to_float(f, i->d, x, &a);
        return VM_STEP_NEXT;
    }
    if (x.nb)
        bignum_read(&b, f, i->b, x.from);
    if (x.nc)
        bignum_read(&c, f, (uint32_t)i->k, x.from);
    if (x.op <= VM_W_USHL_SAT)
        step = binary(vm, i, x.op, &r, &a, &b);
    else if (x.op <= VM_W_UCMP)
        relation(vm, x, &r, &a, &b);
    else if (x.op <= VM_W_UMUL_O)
        return with_overflow(i, f, x.op, &a, &b);
    else if (x.op <= VM_W_BITREVERSE)
        unary(i, x.op, &r, &a);
    else if (x.op <= VM_W_SEXT && !loses(i, x.to, &a))
        bignum_resize(&r, &a, x.to, x.op == VM_W_SEXT);
    else if (x.op <= VM_W_SEXT) /* nneg, but negative */
        bignum_set_undefined(&r, x.to);
    else
        funnel(x.op, &r, &a, &b, &c);
    if (step == VM_STEP_NEXT)
        bignum_write(f, i->d, &r);
    return step;
}
