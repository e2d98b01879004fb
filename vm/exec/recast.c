/* recast.c - bit casts between vectors: the bits of some integers as others.
 *
 * Element 0 holds the lowest bits.  An element of more than 64 bits takes several
 * registers; undefined bits and pointers stay what they are. */
#include <stdlib.h>

#include "apint.h"
#include "vm/exec/arith.h"
#include "vm/exec/register.h"
#include "vm/heap/memory.h"
#include "vm/machine.h"

struct bits {
    uint8_t *v, *m; /* one byte each per bit */
    uint8_t *p;     /* per bit: of a pointer */
};

static uint32_t place(uint32_t first, unsigned width, unsigned at)
{
    return first + at / width * vm_apint_words(width) + at % width / 64;
}

static void gather(struct bits *x, const struct vm_obj *f, uint32_t first, unsigned width,
                   unsigned n)
{
    for (unsigned at = 0; at < n; at++) {
        uint32_t r = place(first, width, at);
        unsigned bit = at % width % 64;
        x->v[at] = vm_get(f, r) >> bit & 1;
        x->m[at] = vm_mask(f, r) >> bit & 1;
        x->p[at] = vm_shadow(f, r) >> (8 + bit / 8) & 1;
    }
}

static void scatter(const struct bits *x, struct vm_obj *f, uint32_t first, unsigned width,
                    unsigned n)
{
    for (unsigned at = 0; at < n;) {
        uint32_t r = place(first, width, at);
        uint64_t v = 0, m = 0;
        uint8_t p = 0;
        unsigned bit = 0, size = width - at % width < 64 ? width - at % width : 64;
        for (; bit < size; bit++, at++) {
            v |= (uint64_t)x->v[at] << bit;
            m |= (uint64_t)x->m[at] << bit;
            if (bit % 8 == 0 && size - bit >= 8 && x->p[at] && x->p[at + 7])
                p |= (uint8_t)(1u << (bit / 8));
        }
        vm_obj_put(f, r * 8, 8, v, m | ~vm_low(size), p);
    }
}

enum vm_step vm_recast(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    unsigned from = i->k & 0xffff, to = i->k >> 16 & 0xffff, n = (unsigned)(i->k >> 32);
    uint8_t small[3 * 1024],
        *all = 3 * (size_t)n <= sizeof small ? small : vm_alloc(3 * (size_t)n);
    struct bits x = {all, all + n, all + 2 * n};
    (void)vm;
    gather(&x, f, i->a, from, n);
    scatter(&x, f, i->d, to, n);
    if (all != small)
        free(all);
    return VM_STEP_NEXT;
}
