/* number.h - integers of more than 64 bits with their undefined bits, inside vm/.
 *
 * A number is its words, the mask of its defined bits (undefined ones are 0), and
 * per word the bytes that are part of a pointer, as in arith.c. */
#ifndef VM_NUMBER_H
#define VM_NUMBER_H

#include "vm/machine.h"
#include "wide.h"

enum { N = VM_WIDE_WORDS };

struct number {
    unsigned w; /* bits */
    uint64_t v[N], m[N];
    uint8_t p[N];
};

uint32_t num_words(const struct number *x);
void num_trim(struct number *x);
void num_set_defined(struct number *x, unsigned w);
void num_set_undefined(struct number *x, unsigned w);
void num_set_small(struct number *x, unsigned w, uint64_t v);
void num_read(struct number *x, const struct vm_obj *f, uint32_t r, unsigned w);
void num_write(struct vm_obj *f, uint32_t r, const struct number *x);
bool num_is_defined(const struct number *x);
bool num_is_zero(const struct number *x);
bool num_bit(const uint64_t *v, unsigned at);
bool num_is_negative(const struct number *x);
void num_look_at(struct vm *vm, const struct number *x);
bool num_add(struct number *r, const struct number *a, const struct number *b, bool carry);
void num_invert(struct number *r, const struct number *a);
bool num_sub(struct number *r, const struct number *a, const struct number *b);
void num_negate(struct number *r, const struct number *a);
int num_compare(const struct number *a, const struct number *b, bool is_signed);
bool num_mul(struct number *r, const struct number *a, const struct number *b);
void num_magnitude(struct number *r, const struct number *a);
bool num_mul_signed(struct number *r, const struct number *a, const struct number *b);
void num_divide(struct number *q, struct number *r, const struct number *a,
                const struct number *b);
void num_divide_signed(struct number *q, struct number *r, const struct number *a,
                       const struct number *b);
void num_shift_left(struct number *r, const struct number *a, unsigned by);
void num_shift_right(struct number *r, const struct number *a, unsigned by, bool arithmetic);
void num_bitwise(struct vm *vm, enum vm_wide_op op, struct number *r, const struct number *a,
                 const struct number *b);
void num_resize(struct number *r, const struct number *a, unsigned to, bool is_signed);

#endif
