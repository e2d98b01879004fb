/* bignum.h - integers of more than 64 bits with their undefined bits, inside vm/.
 *
 * A number is its words, the mask of its defined bits (undefined ones are 0), and
 * per word the bytes that are part of a pointer, as in arith.c. */
#ifndef VM_BIGNUM_H
#define VM_BIGNUM_H

#include "apint.h"
#include "vm/machine.h"

enum { N = VM_APINT_WORDS };

struct bignum {
    unsigned w; /* bits */
    uint64_t v[N], m[N];
    uint8_t p[N];
};

uint32_t bignum_words(const struct bignum *x);
void bignum_trim(struct bignum *x);
void bignum_set_defined(struct bignum *x, unsigned w);
void bignum_set_undefined(struct bignum *x, unsigned w);
void bignum_set_small(struct bignum *x, unsigned w, uint64_t v);
void bignum_read(struct bignum *x, const struct vm_obj *f, uint32_t r, unsigned w);
void bignum_write(struct vm_obj *f, uint32_t r, const struct bignum *x);
bool bignum_is_defined(const struct bignum *x);
bool bignum_is_zero(const struct bignum *x);
bool bignum_bit(const uint64_t *v, unsigned at);
bool bignum_is_negative(const struct bignum *x);
void bignum_note_computed(struct vm *vm, const struct bignum *x);
bool bignum_add(struct bignum *r, const struct bignum *a, const struct bignum *b, bool carry);
void bignum_invert(struct bignum *r, const struct bignum *a);
bool bignum_sub(struct bignum *r, const struct bignum *a, const struct bignum *b);
void bignum_negate(struct bignum *r, const struct bignum *a);
int bignum_compare(const struct bignum *a, const struct bignum *b, bool is_signed);
bool bignum_mul(struct bignum *r, const struct bignum *a, const struct bignum *b);
void bignum_magnitude(struct bignum *r, const struct bignum *a);
bool bignum_mul_signed(struct bignum *r, const struct bignum *a, const struct bignum *b);
void bignum_divide(struct bignum *q, struct bignum *r, const struct bignum *a,
                   const struct bignum *b);
void bignum_divide_signed(struct bignum *q, struct bignum *r, const struct bignum *a,
                          const struct bignum *b);
void bignum_shift_left(struct bignum *r, const struct bignum *a, unsigned by);
void bignum_shift_right(struct bignum *r, const struct bignum *a, unsigned by, bool arithmetic);
void bignum_bitwise(struct vm *vm, enum vm_apint_op op, struct bignum *r,
                    const struct bignum *a, const struct bignum *b);
void bignum_resize(struct bignum *r, const struct bignum *a, unsigned to, bool is_signed);

#endif
