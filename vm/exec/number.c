/* number.c - arithmetic of number.h: schoolbook, word by word.
 *
 * The optimiser passes structs of pointers about as such numbers, so shifts, and,
 * or and conversions keep masks and pointers exact. */
#include "number.h"

#include <string.h>

uint32_t num_words(const struct number *x)
{
    return vm_wide_words(x->w);
}

/* The bits of the last word that count. */
static uint64_t top_mask(unsigned w)
{
    return vm_low(w % 64 ? w % 64 : 64);
}

void num_trim(struct number *x)
{
    uint32_t n = num_words(x);
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

void num_set_defined(struct number *x, unsigned w)
{
    set_all(x, w, 0xff);
}

void num_set_undefined(struct number *x, unsigned w)
{
    set_all(x, w, 0);
    num_trim(x);
}

void num_set_small(struct number *x, unsigned w, uint64_t v)
{
    num_set_defined(x, w);
    x->v[0] = v;
    num_trim(x);
}

void num_read(struct number *x, const struct vm_obj *f, uint32_t r, unsigned w)
{
    num_set_defined(x, w);
    for (uint32_t k = 0; k < num_words(x); k++) {
        x->v[k] = vm_get(f, r + k);
        x->m[k] = vm_mask(f, r + k);
        x->p[k] = (uint8_t)(vm_shadow(f, r + k) >> 8);
    }
}

void num_write(struct vm_obj *f, uint32_t r, const struct number *x)
{
    for (uint32_t k = 0; k < num_words(x); k++)
        vm_obj_put(f, (r + k) * 8, 8, x->v[k], x->m[k], x->p[k]);
}

bool num_is_defined(const struct number *x)
{
    for (uint32_t k = 0; k < num_words(x); k++)
        if (x->m[k] != ~0ull)
            return false;
    return true;
}

bool num_is_zero(const struct number *x)
{
    for (uint32_t k = 0; k < num_words(x); k++)
        if (x->v[k])
            return false;
    return true;
}

bool num_bit(const uint64_t *v, unsigned at)
{
    return v[at / 64] >> (at % 64) & 1;
}

bool num_is_negative(const struct number *x)
{
    return num_bit(x->v, x->w - 1);
}

/* A pointer's bytes go into a computation: its address has been looked at. */
void num_look_at(struct vm *vm, const struct number *x)
{
    for (uint32_t k = 0; k < num_words(x); k++)
        if (x->p[k])
            vm_break(vm, VM_ASSUMES_ADDRESSES);
}

/* ---- defined numbers ------------------------------------------------------------------ */

/* r = a + b + carry; the carry out of bit w. */
bool num_add(struct number *r, const struct number *a, const struct number *b, bool carry)
{
    for (uint32_t k = 0; k < num_words(a); k++) {
        uint64_t s;
        bool c = __builtin_add_overflow(a->v[k], b->v[k], &s);
        c |= __builtin_add_overflow(s, (uint64_t)carry, &r->v[k]);
        carry = c;
    }
    uint32_t last = num_words(a) - 1;
    if (a->w % 64)
        carry = r->v[last] >> (a->w % 64) & 1;
    num_trim(r);
    return carry;
}

void num_invert(struct number *r, const struct number *a)
{
    for (uint32_t k = 0; k < num_words(a); k++)
        r->v[k] = ~a->v[k];
    num_trim(r);
}

/* r = a - b; true if it borrows. */
bool num_sub(struct number *r, const struct number *a, const struct number *b)
{
    struct number c;
    num_set_defined(&c, a->w);
    num_invert(&c, b);
    return !num_add(r, a, &c, true);
}

void num_negate(struct number *r, const struct number *a)
{
    struct number zero;
    num_set_defined(&zero, a->w);
    num_sub(r, &zero, a);
}

int num_compare(const struct number *a, const struct number *b, bool is_signed)
{
    if (is_signed && num_is_negative(a) != num_is_negative(b))
        return num_is_negative(a) ? -1 : 1;
    for (uint32_t k = num_words(a); k-- > 0;)
        if (a->v[k] != b->v[k])
            return a->v[k] < b->v[k] ? -1 : 1;
    return 0;
}

/* r = a * b; true if the product does not fit. */
bool num_mul(struct number *r, const struct number *a, const struct number *b)
{
    uint64_t p[2 * N];
    uint32_t n = num_words(a);
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
    num_trim(r);
    return over;
}

void num_magnitude(struct number *r, const struct number *a)
{
    num_set_defined(r, a->w);
    if (num_is_negative(a))
        num_negate(r, a);
    else
        memcpy(r->v, a->v, num_words(a) * 8);
}

bool num_mul_signed(struct number *r, const struct number *a, const struct number *b)
{
    struct number x, y;
    bool negative = num_is_negative(a) != num_is_negative(b);
    num_magnitude(&x, a);
    num_magnitude(&y, b);
    bool over = num_mul(r, &x, &y), top = num_is_negative(r);
    if (negative)
        num_negate(r, r);
    return over || (top && !(negative && num_is_negative(r)));
}

/* q = a / b, r = a % b: bit by bit. */
void num_divide(struct number *q, struct number *r, const struct number *a,
                const struct number *b)
{
    num_set_defined(q, a->w);
    num_set_defined(r, a->w);
    for (unsigned k = a->w; k-- > 0;) {
        bool out = num_bit(r->v, a->w - 1);
        struct number twice;
        num_shift_left(&twice, r, 1);
        *r = twice;
        r->v[0] |= num_bit(a->v, k);
        if (out || num_compare(r, b, false) >= 0) {
            num_sub(r, r, b);
            q->v[k / 64] |= 1ull << (k % 64);
        }
    }
}

void num_divide_signed(struct number *q, struct number *r, const struct number *a,
                       const struct number *b)
{
    struct number x, y;
    num_magnitude(&x, a);
    num_magnitude(&y, b);
    num_divide(q, r, &x, &y);
    if (num_is_negative(a) != num_is_negative(b))
        num_negate(q, q);
    if (num_is_negative(a))
        num_negate(r, r);
}

/* ---- bits that may be undefined or of pointers ------------------------------------------- */

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

static void shift_tags(struct number *r, const struct number *a, int64_t bytes)
{
    int64_t n = 8 * (int64_t)num_words(a);
    for (int64_t k = 0; k < n; k++) {
        int64_t from = k - bytes;
        if (from >= 0 && from < n && a->p[from / 8] >> (from % 8) & 1)
            r->p[k / 8] |= (uint8_t)(1u << (k % 8));
    }
}

void num_shift_left(struct number *r, const struct number *a, unsigned by)
{
    num_set_defined(r, a->w);
    shift_words(r->v, a->v, num_words(a), by, true, 0);
    shift_words(r->m, a->m, num_words(a), by, true, ~0ull);
    if (by % 8 == 0)
        shift_tags(r, a, by / 8);
    num_trim(r);
}

/* Above the sign bit stand copies of it, if it is an arithmetic shift. */
void num_shift_right(struct number *r, const struct number *a, unsigned by, bool arithmetic)
{
    struct number x = *a;
    bool v = arithmetic && num_bit(a->v, a->w - 1), m = !arithmetic || num_bit(a->m, a->w - 1);
    uint32_t last = num_words(a) - 1;
    x.v[last] |= v ? ~top_mask(a->w) : 0;
    x.m[last] = m ? x.m[last] | ~top_mask(a->w) : x.m[last] & top_mask(a->w);
    num_set_defined(r, a->w);
    shift_words(r->v, x.v, num_words(a), by, false, v ? ~0ull : 0);
    shift_words(r->m, x.m, num_words(a), by, false, m ? ~0ull : 0);
    if (by % 8 == 0)
        shift_tags(r, a, -(int64_t)(by / 8));
    num_trim(r);
}

/* A byte of the result is a pointer's if the other operand leaves it as it is. */
static uint8_t kept_tags(struct vm *vm, enum vm_wide_op op, uint64_t v, uint64_t m, uint8_t p)
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

void num_bitwise(struct vm *vm, enum vm_wide_op op, struct number *r, const struct number *a,
                 const struct number *b)
{
    num_set_defined(r, a->w);
    for (uint32_t k = 0; k < num_words(a); k++) {
        uint64_t av = a->v[k], bv = b->v[k], am = a->m[k], bm = b->m[k];
        if (op == VM_W_AND)
            r->v[k] = av & bv, r->m[k] = (am & bm) | (am & ~av) | (bm & ~bv);
        else if (op == VM_W_OR)
            r->v[k] = av | bv, r->m[k] = (am & bm) | (am & av) | (bm & bv);
        else
            r->v[k] = av ^ bv, r->m[k] = am & bm;
        r->p[k] = kept_tags(vm, op, bv, bm, a->p[k]) | kept_tags(vm, op, av, am, b->p[k]);
    }
    num_trim(r);
}

void num_resize(struct number *r, const struct number *a, unsigned to, bool is_signed)
{
    num_set_defined(r, to);
    bool v = is_signed && num_bit(a->v, a->w - 1), m = !is_signed || num_bit(a->m, a->w - 1);
    for (uint32_t k = 0; k < num_words(r); k++) {
        if (k < num_words(a)) {
            r->v[k] = a->v[k], r->m[k] = a->m[k], r->p[k] = a->p[k];
        } else {
            r->v[k] = v ? ~0ull : 0, r->m[k] = m ? ~0ull : 0;
        }
        if (k == num_words(a) - 1 && a->w % 64) {
            uint64_t above = ~top_mask(a->w);
            r->v[k] |= v ? above : 0;
            r->m[k] = m ? r->m[k] | above : r->m[k] & ~above;
        }
    }
    num_trim(r);
}
