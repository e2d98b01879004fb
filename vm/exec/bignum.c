/* bignum.c - arithmetic of bignum.h: schoolbook, word by word.
 *
 * The optimiser passes structs of pointers about as such numbers, so shifts, and,
 * or and conversions keep masks and pointers exact. */
#include "bignum.h"
#include "vm/exec/register.h"

#include <string.h>

uint32_t bignum_words(const struct bignum *x)
{
    return vm_apint_words(x->w);
}

/* Returns a mask of the bits of the last word that belong to the number. */
static uint64_t top_mask(unsigned w)
{
    return vm_low(w % 64 ? w % 64 : 64);
}

void bignum_trim(struct bignum *x)
{
    uint32_t n = bignum_words(x);
    x->v[n - 1] &= top_mask(x->w);
    x->m[n - 1] |= ~top_mask(x->w);
}

static void set_all(struct bignum *x, unsigned w, int mask)
{
    uint32_t n = vm_apint_words(w);
    x->w = w;
    memset(x->v, 0, n * 8);
    memset(x->m, mask, n * 8);
    memset(x->p, 0, n);
}

void bignum_set_defined(struct bignum *x, unsigned w)
{
    set_all(x, w, 0xff);
}

void bignum_set_undefined(struct bignum *x, unsigned w)
{
    set_all(x, w, 0);
    bignum_trim(x);
}

void bignum_set_small(struct bignum *x, unsigned w, uint64_t v)
{
    bignum_set_defined(x, w);
    x->v[0] = v;
    bignum_trim(x);
}

void bignum_read(struct bignum *x, const struct vm_obj *f, uint32_t r, unsigned w)
{
    bignum_set_defined(x, w);
    for (uint32_t k = 0; k < bignum_words(x); k++) {
        x->v[k] = vm_get(f, r + k);
        x->m[k] = vm_mask(f, r + k);
        x->p[k] = (uint8_t)(vm_shadow(f, r + k) >> 8);
    }
}

void bignum_write(struct vm_obj *f, uint32_t r, const struct bignum *x)
{
    for (uint32_t k = 0; k < bignum_words(x); k++)
        vm_obj_put(f, (r + k) * 8, 8, x->v[k], x->m[k], x->p[k]);
}

bool bignum_is_defined(const struct bignum *x)
{
    for (uint32_t k = 0; k < bignum_words(x); k++)
        if (x->m[k] != ~0ull)
            return false;
    return true;
}

bool bignum_is_zero(const struct bignum *x)
{
    for (uint32_t k = 0; k < bignum_words(x); k++)
        if (x->v[k])
            return false;
    return true;
}

bool bignum_bit(const uint64_t *v, unsigned at)
{
    return v[at / 64] >> (at % 64) & 1;
}

bool bignum_is_negative(const struct bignum *x)
{
    return bignum_bit(x->v, x->w - 1);
}

/* Notes that a number is computed from a pointer's bytes. */
void bignum_note_computed(struct vm *vm, const struct bignum *x)
{
    for (uint32_t k = 0; k < bignum_words(x); k++)
        if (x->p[k])
            vm_break(vm, VM_ASSUMES_ADDRESSES);
}

/* ---- defined numbers ------------------------------------------------------------- */

/* r = a + b + carry; returns the carry out of bit w. */
bool bignum_add(struct bignum *r, const struct bignum *a, const struct bignum *b, bool carry)
{
    for (uint32_t k = 0; k < bignum_words(a); k++) {
        uint64_t s;
        bool c = __builtin_add_overflow(a->v[k], b->v[k], &s);
        c |= __builtin_add_overflow(s, (uint64_t)carry, &r->v[k]);
        carry = c;
    }
    uint32_t last = bignum_words(a) - 1;
    if (a->w % 64)
        carry = r->v[last] >> (a->w % 64) & 1;
    bignum_trim(r);
    return carry;
}

void bignum_invert(struct bignum *r, const struct bignum *a)
{
    for (uint32_t k = 0; k < bignum_words(a); k++)
        r->v[k] = ~a->v[k];
    bignum_trim(r);
}

/* r = a - b; true if it borrows. */
bool bignum_sub(struct bignum *r, const struct bignum *a, const struct bignum *b)
{
    struct bignum c;
    bignum_set_defined(&c, a->w);
    bignum_invert(&c, b);
    return !bignum_add(r, a, &c, true);
}

void bignum_negate(struct bignum *r, const struct bignum *a)
{
    struct bignum zero;
    bignum_set_defined(&zero, a->w);
    bignum_sub(r, &zero, a);
}

int bignum_compare(const struct bignum *a, const struct bignum *b, bool is_signed)
{
    if (is_signed && bignum_is_negative(a) != bignum_is_negative(b))
        return bignum_is_negative(a) ? -1 : 1;
    for (uint32_t k = bignum_words(a); k-- > 0;)
        if (a->v[k] != b->v[k])
            return a->v[k] < b->v[k] ? -1 : 1;
    return 0;
}

/* r = a * b; true if the product does not fit. */
bool bignum_mul(struct bignum *r, const struct bignum *a, const struct bignum *b)
{
    uint64_t p[2 * N];
    uint32_t n = bignum_words(a);
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
    bignum_trim(r);
    return over;
}

void bignum_magnitude(struct bignum *r, const struct bignum *a)
{
    bignum_set_defined(r, a->w);
    if (bignum_is_negative(a))
        bignum_negate(r, a);
    else
        memcpy(r->v, a->v, bignum_words(a) * 8);
}

bool bignum_mul_signed(struct bignum *r, const struct bignum *a, const struct bignum *b)
{
    struct bignum x, y;
    bool negative = bignum_is_negative(a) != bignum_is_negative(b);
    bignum_magnitude(&x, a);
    bignum_magnitude(&y, b);
    bool over = bignum_mul(r, &x, &y), top = bignum_is_negative(r);
    if (negative)
        bignum_negate(r, r);
    return over || (top && !(negative && bignum_is_negative(r)));
}

/* q = a / b, r = a % b, computed bit by bit. */
void bignum_divide(struct bignum *q, struct bignum *r, const struct bignum *a,
                   const struct bignum *b)
{
    bignum_set_defined(q, a->w);
    bignum_set_defined(r, a->w);
    for (unsigned k = a->w; k-- > 0;) {
        bool out = bignum_bit(r->v, a->w - 1);
        struct bignum twice;
        bignum_shift_left(&twice, r, 1);
        *r = twice;
        r->v[0] |= bignum_bit(a->v, k);
        if (out || bignum_compare(r, b, false) >= 0) {
            bignum_sub(r, r, b);
            q->v[k / 64] |= 1ull << (k % 64);
        }
    }
}

void bignum_divide_signed(struct bignum *q, struct bignum *r, const struct bignum *a,
                          const struct bignum *b)
{
    struct bignum x, y;
    bignum_magnitude(&x, a);
    bignum_magnitude(&y, b);
    bignum_divide(q, r, &x, &y);
    if (bignum_is_negative(a) != bignum_is_negative(b))
        bignum_negate(q, q);
    if (bignum_is_negative(a))
        bignum_negate(r, r);
}

/* ---- bits that may be undefined or of pointers ----------------------------------- */

static void shift_words(uint64_t *r, const uint64_t *a, uint32_t n, unsigned by, bool left,
                        uint64_t fill)
{
    uint32_t far = by / 64;
    unsigned near = by % 64;
    for (uint32_t k = 0; k < n; k++) {
        int64_t from = left ? (int64_t)k - far : (int64_t)k + far,
                next = left ? from - 1 : from + 1;
        uint64_t x = from >= 0 && from < n ? a[from] : fill,
                 y = next >= 0 && next < n ? a[next] : fill;
        r[k] = near == 0 ? x
               : left    ? x << near | y >> (64 - near)
                         : x >> near | y << (64 - near);
    }
}

static void shift_tags(struct bignum *r, const struct bignum *a, int64_t bytes)
{
    int64_t n = 8 * (int64_t)bignum_words(a);
    for (int64_t k = 0; k < n; k++) {
        int64_t from = k - bytes;
        if (from >= 0 && from < n && a->p[from / 8] >> (from % 8) & 1)
            r->p[k / 8] |= (uint8_t)(1u << (k % 8));
    }
}

void bignum_shift_left(struct bignum *r, const struct bignum *a, unsigned by)
{
    bignum_set_defined(r, a->w);
    shift_words(r->v, a->v, bignum_words(a), by, true, 0);
    shift_words(r->m, a->m, bignum_words(a), by, true, ~0ull);
    if (by % 8 == 0)
        shift_tags(r, a, by / 8);
    bignum_trim(r);
}

/* Shifts right.  An arithmetic shift fills the bits above with copies of the sign bit. */
void bignum_shift_right(struct bignum *r, const struct bignum *a, unsigned by, bool arithmetic)
{
    struct bignum x = *a;
    bool v = arithmetic && bignum_bit(a->v, a->w - 1),
         m = !arithmetic || bignum_bit(a->m, a->w - 1);
    uint32_t last = bignum_words(a) - 1;
    x.v[last] |= v ? ~top_mask(a->w) : 0;
    x.m[last] = m ? x.m[last] | ~top_mask(a->w) : x.m[last] & top_mask(a->w);
    bignum_set_defined(r, a->w);
    shift_words(r->v, x.v, bignum_words(a), by, false, v ? ~0ull : 0);
    shift_words(r->m, x.m, bignum_words(a), by, false, m ? ~0ull : 0);
    if (by % 8 == 0)
        shift_tags(r, a, -(int64_t)(by / 8));
    bignum_trim(r);
}

/* A byte of the result comes from a pointer if the other operand leaves the pointer's byte as
 * it is. */
static uint8_t kept_tags(struct vm *vm, enum vm_apint_op op, uint64_t v, uint64_t m, uint8_t p)
{
    uint8_t kept = 0;
    for (unsigned k = 0; k < 8; k++) {
        uint8_t byte = (uint8_t)(v >> (8 * k)), mask = (uint8_t)(m >> (8 * k)),
                one = (uint8_t)(1u << k);
        if (!(p & one))
            continue;
        if (mask == 0xff && byte == (op == VM_W_AND ? 0xff : 0))
            kept |= one;
        else if (!(op == VM_W_AND && mask == 0xff && byte == 0))
            vm_break(vm, VM_ASSUMES_ADDRESSES);
    }
    return kept;
}

void bignum_bitwise(struct vm *vm, enum vm_apint_op op, struct bignum *r,
                    const struct bignum *a, const struct bignum *b)
{
    bignum_set_defined(r, a->w);
    for (uint32_t k = 0; k < bignum_words(a); k++) {
        uint64_t av = a->v[k], bv = b->v[k], am = a->m[k], bm = b->m[k];
        if (op == VM_W_AND)
            r->v[k] = av & bv, r->m[k] = (am & bm) | (am & ~av) | (bm & ~bv);
        else if (op == VM_W_OR)
            r->v[k] = av | bv, r->m[k] = (am & bm) | (am & av) | (bm & bv);
        else
            r->v[k] = av ^ bv, r->m[k] = am & bm;
        r->p[k] = kept_tags(vm, op, bv, bm, a->p[k]) | kept_tags(vm, op, av, am, b->p[k]);
    }
    bignum_trim(r);
}

void bignum_resize(struct bignum *r, const struct bignum *a, unsigned to, bool is_signed)
{
    bignum_set_defined(r, to);
    bool v = is_signed && bignum_bit(a->v, a->w - 1),
         m = !is_signed || bignum_bit(a->m, a->w - 1);
    for (uint32_t k = 0; k < bignum_words(r); k++) {
        if (k < bignum_words(a)) {
            r->v[k] = a->v[k], r->m[k] = a->m[k], r->p[k] = a->p[k];
        } else {
            r->v[k] = v ? ~0ull : 0, r->m[k] = m ? ~0ull : 0;
        }
        if (k == bignum_words(a) - 1 && a->w % 64) {
            uint64_t above = ~top_mask(a->w);
            r->v[k] |= v ? above : 0;
            r->m[k] = m ? r->m[k] | above : r->m[k] & ~above;
        }
    }
    bignum_trim(r);
}
