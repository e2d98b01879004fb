/* wide.c - arithmetic on integers of more than 64 bits: schoolbook, word by word.
 *
 * A number is its words, the mask of its defined bits (undefined ones are 0), and
 * per word the bytes that are part of a pointer, as in arith.c.  The optimiser
 * passes structs of pointers about as such numbers, so shifts, and, or and
 * conversions keep masks and pointers exact. */
#include "wide.h"

#include <math.h>
#include <string.h>

#include "machine.h"

enum { N = VM_WIDE_WORDS };

struct number {
    unsigned w; /* bits */
    uint64_t v[N], m[N];
    uint8_t p[N];
};

static uint32_t words(const struct number *x)
{
    return vm_wide_words(x->w);
}

/* The bits of the last word that count. */
static uint64_t top_mask(unsigned w)
{
    return vm_low(w % 64 ? w % 64 : 64);
}

static void trim(struct number *x)
{
    uint32_t n = words(x);
    x->v[n - 1] &= top_mask(x->w);
    x->m[n - 1] |= ~top_mask(x->w);
}

static void set_all(struct number *x, unsigned w, int mask)
{
    uint32_t n = vm_wide_words(w);
    x->w = w;
    memset(x->v, 0, n * 8);
    memset(x->m, mask, n * 8);
    memset(x->p, 0, n);
}

static void set_defined(struct number *x, unsigned w)
{
    set_all(x, w, 0xff);
}

static void set_undefined(struct number *x, unsigned w)
{
    set_all(x, w, 0);
    trim(x);
}

static void set_small(struct number *x, unsigned w, uint64_t v)
{
    set_defined(x, w);
    x->v[0] = v;
    trim(x);
}

static void read(struct number *x, const struct vm_obj *f, uint32_t r, unsigned w)
{
    set_defined(x, w);
    for (uint32_t k = 0; k < words(x); k++) {
        x->v[k] = vm_get(f, r + k);
        x->m[k] = vm_mask(f, r + k);
        x->p[k] = (uint8_t)(vm_shadow(f, r + k) >> 8);
    }
}

static void write(struct vm_obj *f, uint32_t r, const struct number *x)
{
    for (uint32_t k = 0; k < words(x); k++)
        vm_obj_put(f, (r + k) * 8, 8, x->v[k], x->m[k], x->p[k]);
}

static bool is_defined(const struct number *x)
{
    for (uint32_t k = 0; k < words(x); k++)
        if (x->m[k] != ~0ull)
            return false;
    return true;
}

static bool is_zero(const struct number *x)
{
    for (uint32_t k = 0; k < words(x); k++)
        if (x->v[k])
            return false;
    return true;
}

static bool bit(const uint64_t *v, unsigned at)
{
    return v[at / 64] >> (at % 64) & 1;
}

static bool is_negative(const struct number *x)
{
    return bit(x->v, x->w - 1);
}

/* A pointer's bytes go into a computation: its address has been looked at. */
static void look_at(struct vm *vm, const struct number *x)
{
    for (uint32_t k = 0; k < words(x); k++)
        if (x->p[k] & 0xf0)
            vm->saw_address = true;
}

/* ---- defined numbers ------------------------------------------------------------------ */

/* r = a + b + carry; the carry out of bit w. */
static bool add(struct number *r, const struct number *a, const struct number *b, bool carry)
{
    for (uint32_t k = 0; k < words(a); k++) {
        uint64_t s;
        bool c = __builtin_add_overflow(a->v[k], b->v[k], &s);
        c |= __builtin_add_overflow(s, (uint64_t)carry, &r->v[k]);
        carry = c;
    }
    uint32_t last = words(a) - 1;
    if (a->w % 64)
        carry = r->v[last] >> (a->w % 64) & 1;
    trim(r);
    return carry;
}

static void invert(struct number *r, const struct number *a)
{
    for (uint32_t k = 0; k < words(a); k++)
        r->v[k] = ~a->v[k];
    trim(r);
}

/* r = a - b; true if it borrows. */
static bool sub(struct number *r, const struct number *a, const struct number *b)
{
    struct number c;
    set_defined(&c, a->w);
    invert(&c, b);
    return !add(r, a, &c, true);
}

static void negate(struct number *r, const struct number *a)
{
    struct number zero;
    set_defined(&zero, a->w);
    sub(r, &zero, a);
}

static int compare(const struct number *a, const struct number *b, bool is_signed)
{
    if (is_signed && is_negative(a) != is_negative(b))
        return is_negative(a) ? -1 : 1;
    for (uint32_t k = words(a); k-- > 0;)
        if (a->v[k] != b->v[k])
            return a->v[k] < b->v[k] ? -1 : 1;
    return 0;
}

/* r = a * b; true if the product does not fit. */
static bool mul(struct number *r, const struct number *a, const struct number *b)
{
    uint64_t p[2 * N];
    uint32_t n = words(a);
    memset(p, 0, n * 16);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t carry = 0;
        for (uint32_t k = 0; k < n; k++) {
            unsigned __int128 t = (unsigned __int128)a->v[i] * b->v[k] + p[i + k] + carry;
            p[i + k] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        p[i + n] = carry;
    }
    memcpy(r->v, p, n * 8);
    bool over = p[n - 1] & ~top_mask(a->w);
    for (uint32_t k = n; k < 2 * n; k++)
        over |= p[k] != 0;
    trim(r);
    return over;
}

static void magnitude(struct number *r, const struct number *a)
{
    set_defined(r, a->w);
    if (is_negative(a))
        negate(r, a);
    else
        memcpy(r->v, a->v, words(a) * 8);
}

static bool mul_signed(struct number *r, const struct number *a, const struct number *b)
{
    struct number x, y;
    bool negative = is_negative(a) != is_negative(b);
    magnitude(&x, a);
    magnitude(&y, b);
    bool over = mul(r, &x, &y), top = is_negative(r);
    if (negative)
        negate(r, r);
    return over || (top && !(negative && is_negative(r)));
}

static void shift_left(struct number *r, const struct number *a, unsigned by);

/* q = a / b, r = a % b: bit by bit. */
static void divide(struct number *q, struct number *r, const struct number *a,
                   const struct number *b)
{
    set_defined(q, a->w);
    set_defined(r, a->w);
    for (unsigned k = a->w; k-- > 0;) {
        bool out = bit(r->v, a->w - 1);
        struct number twice;
        shift_left(&twice, r, 1);
        *r = twice;
        r->v[0] |= bit(a->v, k);
        if (out || compare(r, b, false) >= 0) {
            sub(r, r, b);
            q->v[k / 64] |= 1ull << (k % 64);
        }
    }
}

static void divide_signed(struct number *q, struct number *r, const struct number *a,
                          const struct number *b)
{
    struct number x, y;
    magnitude(&x, a);
    magnitude(&y, b);
    divide(q, r, &x, &y);
    if (is_negative(a) != is_negative(b))
        negate(q, q);
    if (is_negative(a))
        negate(r, r);
}

/* ---- bits that may be undefined or of pointers ------------------------------------------- */

static void shift_words(uint64_t *r, const uint64_t *a, uint32_t n, unsigned by, bool left,
                        uint64_t fill)
{
    uint32_t far = by / 64;
    unsigned near = by % 64;
    for (uint32_t k = 0; k < n; k++) {
        int64_t from = left ? (int64_t)k - far : (int64_t)k + far, next = left ? from - 1 : from + 1;
        uint64_t x = from >= 0 && from < n ? a[from] : fill, y = next >= 0 && next < n ? a[next] : fill;
        r[k] = near == 0 ? x : left ? x << near | y >> (64 - near) : x >> near | y << (64 - near);
    }
}

static void shift_tags(struct number *r, const struct number *a, int64_t bytes)
{
    int64_t n = 8 * (int64_t)words(a);
    for (int64_t k = 0; k < n; k++) {
        int64_t from = k - bytes;
        if (from >= 0 && from < n && a->p[from / 8] >> (from % 8) & 1)
            r->p[k / 8] |= (uint8_t)(1u << (k % 8));
    }
}

static void shift_left(struct number *r, const struct number *a, unsigned by)
{
    set_defined(r, a->w);
    shift_words(r->v, a->v, words(a), by, true, 0);
    shift_words(r->m, a->m, words(a), by, true, ~0ull);
    if (by % 8 == 0)
        shift_tags(r, a, by / 8);
    trim(r);
}

/* Above the sign bit stand copies of it, if it is an arithmetic shift. */
static void shift_right(struct number *r, const struct number *a, unsigned by, bool arithmetic)
{
    struct number x = *a;
    bool v = arithmetic && bit(a->v, a->w - 1), m = !arithmetic || bit(a->m, a->w - 1);
    uint32_t last = words(a) - 1;
    x.v[last] |= v ? ~top_mask(a->w) : 0;
    x.m[last] = m ? x.m[last] | ~top_mask(a->w) : x.m[last] & top_mask(a->w);
    set_defined(r, a->w);
    shift_words(r->v, x.v, words(a), by, false, v ? ~0ull : 0);
    shift_words(r->m, x.m, words(a), by, false, m ? ~0ull : 0);
    if (by % 8 == 0)
        shift_tags(r, a, -(int64_t)(by / 8));
    trim(r);
}

/* A byte of the result is a pointer's if the other operand leaves it as it is. */
static uint8_t kept_tags(struct vm *vm, enum vm_wide_op op, uint64_t v, uint64_t m, uint8_t p)
{
    uint8_t kept = 0;
    for (unsigned k = 0; k < 8; k++) {
        uint8_t byte = (uint8_t)(v >> (8 * k)), mask = (uint8_t)(m >> (8 * k)), one = (uint8_t)(1u << k);
        if (!(p & one))
            continue;
        if (mask == 0xff && byte == (op == VM_W_AND ? 0xff : 0))
            kept |= one;
        else if (one & 0xf0 && !(op == VM_W_AND && mask == 0xff && byte == 0))
            vm->saw_address = true;
    }
    return kept;
}

static void bitwise(struct vm *vm, enum vm_wide_op op, struct number *r, const struct number *a,
                    const struct number *b)
{
    set_defined(r, a->w);
    for (uint32_t k = 0; k < words(a); k++) {
        uint64_t av = a->v[k], bv = b->v[k], am = a->m[k], bm = b->m[k];
        if (op == VM_W_AND)
            r->v[k] = av & bv, r->m[k] = (am & bm) | (am & ~av) | (bm & ~bv);
        else if (op == VM_W_OR)
            r->v[k] = av | bv, r->m[k] = (am & bm) | (am & av) | (bm & bv);
        else
            r->v[k] = av ^ bv, r->m[k] = am & bm;
        r->p[k] = kept_tags(vm, op, bv, bm, a->p[k]) | kept_tags(vm, op, av, am, b->p[k]);
    }
    trim(r);
}

static void resize(struct number *r, const struct number *a, unsigned to, bool is_signed)
{
    set_defined(r, to);
    bool v = is_signed && bit(a->v, a->w - 1), m = !is_signed || bit(a->m, a->w - 1);
    for (uint32_t k = 0; k < words(r); k++) {
        if (k < words(a)) {
            r->v[k] = a->v[k], r->m[k] = a->m[k], r->p[k] = a->p[k];
        } else {
            r->v[k] = v ? ~0ull : 0, r->m[k] = m ? ~0ull : 0;
        }
        if (k == words(a) - 1 && a->w % 64) {
            uint64_t above = ~top_mask(a->w);
            r->v[k] |= v ? above : 0;
            r->m[k] = m ? r->m[k] | above : r->m[k] & ~above;
        }
    }
    trim(r);
}

/* ---- the instruction ------------------------------------------------------------------------ */

static enum vm_step bad_division(struct vm *vm, bool zero, unsigned w)
{
    if (zero)
        return vm_fault(vm, VM_FAULT_DIVISION, "division by zero in %u bits", w);
    return vm_fault(vm, VM_FAULT_OVERFLOW, "signed overflow of a division in %u bits", w);
}

static bool is_least(const struct number *x)
{
    struct number least;
    set_defined(&least, x->w);
    least.v[(x->w - 1) / 64] = 1ull << ((x->w - 1) % 64);
    return compare(x, &least, false) == 0;
}

static enum vm_step division(struct vm *vm, const struct vm_insn *i, enum vm_wide_op op,
                             struct number *r, const struct number *a, const struct number *b)
{
    struct number q, rest;
    bool is_signed = op == VM_W_SDIV || op == VM_W_SREM, quotient = op == VM_W_UDIV || op == VM_W_SDIV;
    if (!is_defined(b))
        return vm_fault(vm, VM_FAULT_UNDEFINED, "division by an undefined value");
    if (is_zero(b))
        return bad_division(vm, true, a->w);
    if (!is_defined(a)) {
        set_undefined(r, a->w);
        return VM_STEP_NEXT;
    }
    struct number minus;
    set_defined(&minus, a->w);
    invert(&minus, &minus);
    if (is_signed && is_least(a) && compare(b, &minus, false) == 0)
        return bad_division(vm, false, a->w);
    if (is_signed)
        divide_signed(&q, &rest, a, b);
    else
        divide(&q, &rest, a, b);
    *r = quotient ? q : rest;
    if (quotient && i->flags & VM_EXACT && !is_zero(&rest))
        set_undefined(r, a->w);
    return VM_STEP_NEXT;
}

/* Sum, difference or product of defined numbers; *s and *u: it does not fit. */
static void arithmetic(enum vm_wide_op op, struct number *r, const struct number *a,
                       const struct number *b, bool *s, bool *u)
{
    struct number t;
    bool sa = is_negative(a), sb = is_negative(b);
    set_defined(r, a->w);
    if (op == VM_W_ADD) {
        *u = add(r, a, b, false);
        *s = sa == sb && is_negative(r) != sa;
    } else if (op == VM_W_SUB) {
        *u = sub(r, a, b);
        *s = sa != sb && is_negative(r) != sa;
    } else {
        *u = mul(r, a, b);
        set_defined(&t, a->w);
        *s = mul_signed(&t, a, b);
    }
}

static enum vm_step flagged(struct vm *vm, const struct vm_insn *i, struct number *r, bool s, bool u)
{
    if (i->flags & VM_NSW && s) {
        if (i->flags & VM_CHECKED)
            return vm_fault(vm, VM_FAULT_OVERFLOW, "signed overflow in %u bits", r->w);
        set_undefined(r, r->w);
    }
    if (i->flags & VM_NUW && u)
        set_undefined(r, r->w);
    return VM_STEP_NEXT;
}

/* Bits below the first undefined one of either operand are known. */
static void partial_sum(enum vm_wide_op op, struct number *r, const struct number *a,
                        const struct number *b)
{
    bool s, u, known = true;
    arithmetic(op, r, a, b, &s, &u);
    for (uint32_t k = 0; k < words(a); k++) {
        uint64_t m = a->m[k] & b->m[k];
        r->m[k] = !known ? 0 : ~m ? (1ull << __builtin_ctzll(~m)) - 1 : ~0ull;
        known = known && m == ~0ull;
    }
    trim(r);
}

static bool shifts_too_far(const struct number *a, const struct number *b)
{
    bool far = b->v[0] >= a->w;
    for (uint32_t k = 1; k < words(b); k++)
        far |= b->v[k] != 0;
    return far;
}

static enum vm_step shift(struct vm *vm, const struct vm_insn *i, enum vm_wide_op op,
                          struct number *r, const struct number *a, const struct number *b)
{
    set_undefined(r, a->w);
    if (!is_defined(b))
        return VM_STEP_NEXT;
    bool huge = shifts_too_far(a, b);
    if (huge && i->flags & VM_CHECKED)
        return vm_fault(vm, VM_FAULT_SHIFT, "shift of a %u-bit value by %lld", a->w, (long long)b->v[0]);
    if (huge)
        return VM_STEP_NEXT;
    unsigned by = (unsigned)b->v[0];
    struct number back;
    if (by % 8)
        look_at(vm, a);
    if (op == VM_W_SHL)
        shift_left(r, a, by);
    else
        shift_right(r, a, by, op == VM_W_ASHR);
    if (!is_defined(a) || !(i->flags & (VM_NSW | VM_NUW | VM_EXACT)))
        return VM_STEP_NEXT;
    struct number signed_back;
    if (op == VM_W_SHL) {
        shift_right(&back, r, by, false);
        shift_right(&signed_back, r, by, true);
        return flagged(vm, i, r, compare(&signed_back, a, false), compare(&back, a, false));
    }
    shift_left(&back, r, by);
    if (compare(&back, a, false))
        set_undefined(r, a->w);
    return VM_STEP_NEXT;
}

static void saturate(enum vm_wide_op op, struct number *r, const struct number *a,
                     const struct number *b)
{
    bool s, u, is_signed = op == VM_W_SADD_SAT || op == VM_W_SSUB_SAT || op == VM_W_SSHL_SAT;
    if (op >= VM_W_SSHL_SAT) {
        struct number back, shifted;
        unsigned by = (unsigned)b->v[0];
        shift_left(&shifted, a, by);
        shift_right(&back, &shifted, by, is_signed);
        *r = shifted;
        s = u = compare(&back, a, false) != 0;
    } else {
        bool adds = op == VM_W_SADD_SAT || op == VM_W_UADD_SAT;
        arithmetic(adds ? VM_W_ADD : VM_W_SUB, r, a, b, &s, &u);
    }
    if (is_signed ? !s : !u)
        return;
    set_defined(r, a->w);
    if (is_signed) {
        r->v[(a->w - 1) / 64] = 1ull << ((a->w - 1) % 64);
        if (!is_negative(a))
            invert(r, r);
    } else if (op != VM_W_USUB_SAT) {
        invert(r, r);
    }
}

static bool predicate(enum vm_wide_op op, int s, int u)
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

/* Equality is known as soon as two defined bits differ. */
static bool differ(const struct number *a, const struct number *b)
{
    for (uint32_t k = 0; k < words(a); k++)
        if ((a->v[k] ^ b->v[k]) & a->m[k] & b->m[k])
            return true;
    return false;
}

static void relation(struct vm *vm, struct vm_wide x, struct number *r, const struct number *a,
                     const struct number *b)
{
    bool equality = x.op == VM_W_EQ || x.op == VM_W_NE;
    set_undefined(r, x.to);
    if (!equality) {
        look_at(vm, a);
        look_at(vm, b);
    }
    if (equality && differ(a, b)) {
        set_small(r, x.to, x.op == VM_W_NE);
    } else if (is_defined(a) && is_defined(b)) {
        int s = compare(a, b, true), u = compare(a, b, false);
        uint64_t v = x.op == VM_W_SCMP ? (uint64_t)(int64_t)s : x.op == VM_W_UCMP ? (uint64_t)(int64_t)u
                                                                                : predicate(x.op, s, u);
        set_small(r, x.to, v);
    }
}

static unsigned leading_zeros(const struct number *a)
{
    unsigned n = 0;
    while (n < a->w && !bit(a->v, a->w - 1 - n))
        n++;
    return n;
}

static void count(enum vm_wide_op op, struct number *r, const struct number *a)
{
    unsigned n = 0;
    if (op == VM_W_CTPOP)
        for (uint32_t k = 0; k < words(a); k++)
            n += (unsigned)__builtin_popcountll(a->v[k]);
    else if (op == VM_W_CTLZ)
        n = leading_zeros(a);
    else
        while (n < a->w && !bit(a->v, n))
            n++;
    set_small(r, a->w, n);
}

static void reverse(enum vm_wide_op op, struct number *r, const struct number *a)
{
    unsigned unit = op == VM_W_BSWAP ? 8 : 1;
    set_defined(r, a->w);
    for (unsigned k = 0; k < a->w; k++) {
        unsigned to = a->w - unit - k / unit * unit + k % unit;
        if (bit(a->v, k))
            r->v[to / 64] |= 1ull << (to % 64);
    }
}

/* flags: VM_NSW of abs, VM_NUW of the counts: the special operand is poison. */
static void unary(const struct vm_insn *i, enum vm_wide_op op, struct number *r,
                  const struct number *a)
{
    set_undefined(r, a->w);
    if (!is_defined(a) || (i->flags && (op == VM_W_ABS ? is_least(a) : is_zero(a))))
        return;
    switch ((int)op) {
    case VM_W_ABS: magnitude(r, a); break;
    case VM_W_BSWAP: case VM_W_BITREVERSE: reverse(op, r, a); break;
    default: count(op, r, a); break;
    }
}

static void funnel(enum vm_wide_op op, struct number *r, const struct number *a,
                   const struct number *b, const struct number *c)
{
    struct number q, rest, width, x, y;
    set_undefined(r, a->w);
    if (!is_defined(c))
        return;
    set_small(&width, a->w, a->w);
    divide(&q, &rest, c, &width);
    unsigned by = (unsigned)rest.v[0], left = op == VM_W_FSHL ? by : a->w - by;
    if (by == 0) {
        *r = op == VM_W_FSHL ? *a : *b;
        return;
    }
    shift_left(&x, a, left);
    shift_right(&y, b, a->w - left, false);
    set_defined(r, a->w);
    for (uint32_t k = 0; k < words(a); k++)
        r->v[k] = x.v[k] | y.v[k], r->m[k] = x.m[k] & y.m[k], r->p[k] = x.p[k] | y.p[k];
}

/* ---- to and from float and double --------------------------------------------------------- */

/* The nearest double, or float, ties to even: the top 64 bits with a sticky one. */
static double nearest(const struct number *a, bool to_float)
{
    unsigned zeros = leading_zeros(a), used = a->w - zeros;
    if (used <= 64)
        return to_float ? (double)(float)a->v[0] : (double)a->v[0];
    struct number top, back;
    shift_right(&top, a, used - 64, false);
    shift_left(&back, &top, used - 64);
    uint64_t v = top.v[0] | (compare(&back, a, false) != 0);
    return ldexp(to_float ? (double)(float)v : (double)v, (int)used - 64);
}

static void to_float(struct vm_obj *f, uint32_t d, struct vm_wide x, const struct number *a)
{
    struct number abs;
    if (!is_defined(a)) {
        vm_obj_put(f, d * 8, 8, 0, ~vm_low(x.to), 0);
        return;
    }
    bool negative = x.op == VM_W_TO_FLOAT_S && is_negative(a);
    if (negative)
        magnitude(&abs, a);
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
                               struct vm_wide x, struct number *r)
{
    uint64_t bits = vm_get(f, i->a);
    double v;
    float s;
    memcpy(&v, &bits, 8);
    memcpy(&s, &bits, 4);
    v = trunc(x.from == 32 ? s : v);
    set_undefined(r, x.to);
    if (vm_mask(f, i->a) != ~0ull)
        return VM_STEP_NEXT;
    bool is_signed = x.op == VM_W_FROM_FLOAT_S;
    double limit = ldexp(1, (int)x.to - is_signed);
    if (!(v < limit && v >= (is_signed ? -limit : 0))) {
        if (i->flags & VM_CHECKED)
            return vm_fault(vm, VM_FAULT_FLOAT_CAST, "%g is out of range of a %u-bit integer", v, x.to);
        return VM_STEP_NEXT;
    }
    set_defined(r, x.to);
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(v), &exponent), 53);
    struct number m;
    set_small(&m, x.to, mantissa);
    if (exponent >= 53)
        shift_left(r, &m, (unsigned)exponent - 53);
    else
        set_small(r, x.to, (uint64_t)fabs(v));
    if (v < 0)
        negate(r, r);
    return VM_STEP_NEXT;
}

/* ---- dispatch ------------------------------------------------------------------------------ */

static enum vm_step with_overflow(const struct vm_insn *i, struct vm_obj *f, enum vm_wide_op op,
                                  const struct number *a, const struct number *b)
{
    static const enum vm_wide_op plain[] = { VM_W_ADD, VM_W_ADD, VM_W_SUB, VM_W_SUB, VM_W_MUL, VM_W_MUL };
    struct number r;
    bool s, u, is_signed = op == VM_W_SADD_O || op == VM_W_SSUB_O || op == VM_W_SMUL_O;
    uint32_t flag = i->d + words(a);
    if (!is_defined(a) || !is_defined(b)) {
        set_undefined(&r, a->w);
        vm_obj_put(f, flag * 8, 8, 0, ~1ull, 0);
    } else {
        arithmetic(plain[op - VM_W_SADD_O], &r, a, b, &s, &u);
        vm_set(f, flag, is_signed ? s : u, 0x00ff);
    }
    write(f, i->d, &r);
    return VM_STEP_NEXT;
}

static enum vm_step binary(struct vm *vm, const struct vm_insn *i, enum vm_wide_op op,
                           struct number *r, const struct number *a, const struct number *b)
{
    bool known = is_defined(a) && is_defined(b), s, u;
    if (op >= VM_W_AND && op <= VM_W_XOR) {
        bitwise(vm, op, r, a, b);
        for (uint32_t k = 0; i->flags & VM_DISJOINT && k < words(a); k++)
            if (a->v[k] & b->v[k]) {
                set_undefined(r, a->w);
                break;
            }
        return VM_STEP_NEXT;
    }
    if (op >= VM_W_SHL && op <= VM_W_ASHR)
        return shift(vm, i, op, r, a, b);
    look_at(vm, a);
    look_at(vm, b);
    if (op >= VM_W_UDIV && op <= VM_W_SREM)
        return division(vm, i, op, r, a, b);
    if (op <= VM_W_MUL && !known) {
        partial_sum(op, r, a, b);
    } else if (op <= VM_W_MUL) {
        arithmetic(op, r, a, b, &s, &u);
        return flagged(vm, i, r, s, u);
    } else if (!known || (op >= VM_W_SSHL_SAT && shifts_too_far(a, b))) {
        set_undefined(r, a->w);
    } else if (op >= VM_W_SADD_SAT) {
        saturate(op, r, a, b);
    } else {
        int c = compare(a, b, op == VM_W_SMIN || op == VM_W_SMAX);
        *r = (op == VM_W_SMIN || op == VM_W_UMIN) == (c < 0) ? *a : *b;
    }
    return VM_STEP_NEXT;
}

enum vm_step vm_wide(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    struct vm_wide x = vm_wide_decode(i->k);
    struct number a, b, c, r;
    enum vm_step step = VM_STEP_NEXT;
    if (x.op == VM_W_FROM_FLOAT_S || x.op == VM_W_FROM_FLOAT_U) {
        step = from_float(vm, i, f, x, &r);
        if (step == VM_STEP_NEXT)
            write(f, i->d, &r);
        return step;
    }
    read(&a, f, i->a, x.from);
    if (x.op == VM_W_TO_FLOAT_S || x.op == VM_W_TO_FLOAT_U) {
        to_float(f, i->d, x, &a);
        return VM_STEP_NEXT;
    }
    if (x.nb)
        read(&b, f, i->b, x.from);
    if (x.nc)
        read(&c, f, (uint32_t)i->k, x.from);
    if (x.op <= VM_W_USHL_SAT)
        step = binary(vm, i, x.op, &r, &a, &b);
    else if (x.op <= VM_W_UCMP)
        relation(vm, x, &r, &a, &b);
    else if (x.op <= VM_W_UMUL_O)
        return with_overflow(i, f, x.op, &a, &b);
    else if (x.op <= VM_W_BITREVERSE)
        unary(i, x.op, &r, &a);
    else if (x.op <= VM_W_SEXT && !(i->flags & VM_NSW && is_negative(&a)))
        resize(&r, &a, x.to, x.op == VM_W_SEXT);
    else if (x.op <= VM_W_SEXT) /* nneg, but negative */
        set_undefined(&r, x.to);
    else
        funnel(x.op, &r, &a, &b, &c);
    if (step == VM_STEP_NEXT)
        write(f, i->d, &r);
    return step;
}
