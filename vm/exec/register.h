/* register.h - registers, in frame object f, with the masks of what is defined. */
#ifndef VM_REGISTER_H
#define VM_REGISTER_H

#include "vm/heap/object.h"

/* A value: its bits, which of them are defined (the others are 0), and which of its bytes come
 * from a pointer. */
struct vm_value {
    uint64_t v, m;
    uint8_t p;
};

static inline uint64_t vm_get(const struct vm_obj *f, uint32_t r)
{
    return f->data[r];
}
/* Returns the shadow of a register.  Low byte: which bytes are defined; high byte: which bytes
 * come from a pointer. */
static inline uint16_t vm_shadow(const struct vm_obj *f, uint32_t r)
{
    return vm_obj_shadow((struct vm_obj *)f)[r];
}
static inline uint64_t vm_mask(const struct vm_obj *f, uint32_t r)
{
    return (vm_shadow(f, r) & 0xff) == 0xff ? ~0ull : vm_obj_mask(f, r * 8, 8);
}
static inline void vm_set(struct vm_obj *f, uint32_t r, uint64_t value, uint16_t shadow)
{
    f->data[r] = value;
    vm_obj_shadow(f)[r] = shadow;
}
static inline struct vm_value vm_value_in(const struct vm_obj *f, uint32_t r)
{
    return (struct vm_value){vm_get(f, r), vm_mask(f, r), (uint8_t)(vm_shadow(f, r) >> 8)};
}
/* Returns the n bytes of an object at `at`, up to 8. */
static inline struct vm_value vm_value_at(const struct vm_obj *o, uint32_t at, uint32_t n)
{
    return (struct vm_value){vm_obj_get(o, at, n), vm_obj_mask(o, at, n),
                             vm_obj_pointer(o, at, n)};
}
static inline void vm_value_put(struct vm_obj *o, uint32_t at, uint32_t n,
                                const struct vm_value *value)
{
    vm_obj_put(o, at, n, value->v, value->m, value->p);
}
static inline uint64_t vm_low(unsigned w) /* w low bits set, 1 <= w <= 64 */
{
    return ~0ull >> (64 - w);
}

#endif
