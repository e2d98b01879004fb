/* load_order.h - a function's blocks, the edges between them, and where in them its
 * instructions are; and what becomes of a local variable, whatever way is gone.
 *
 * A struct load_order is the caller's, from its init to its fini; the function must not change
 * meanwhile. */
#ifndef VM_LOAD_ORDER_H
#define VM_LOAD_ORDER_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "vm/load/prepare/load_scope.h"
#include "vm/load/table.h"

enum { LOAD_MAX_VALUES = 15 };
struct load_order {
    uint32_t n;
    LLVMBasicBlockRef *block;
    struct map blocks, places;
    LLVMValueRef slot; /* clang's cleanup.dest.slot, or NULL */
    uint64_t value[LOAD_MAX_VALUES];
    uint32_t nvalues, *leaves; /* per block: the value that it leaves in it, from 1 on; or 0 */
};
void load_order_init(struct load_order *o, LLVMValueRef function);
void load_order_fini(struct load_order *o);
uint32_t load_order_block(struct load_order *o, LLVMValueRef i); /* from 0 on */
/* A way is a block with a value in the slot, number * n + block; the function begins with 0. */
static inline uint32_t load_order_edges(const struct load_order *o)
{
    return (o->nvalues + 1) * o->n;
}
/* Calls visit with each way that one leads to. */
void load_order_follow(struct load_order *o, uint32_t from,
                       void (*visit)(void *context, uint32_t from, uint32_t to), void *context);

/* load_unset.c: what is done with a local variable, and where */
struct load_use {
    LLVMValueRef i;
    uint64_t bytes;      /* a bit for each of the first 64 that is read or set */
    bool writes, copies; /* copies: reading what is not set is no error yet */
    enum load_mark mark; /* or it begins or ends here */
};

/* load_unset.c: what becomes of a variable, whatever way is gone */
/* Each sorts the uses.  May it be read before it is set?  Only those of up to 64 bytes. */
bool load_maybe_unset(struct load_order *o, struct load_use *uses, size_t n);
/* May it be used after its end? */
bool load_maybe_ended(struct load_order *o, struct load_use *uses, size_t n);
/* Whatever way leads to a use: has it begun there? */
bool load_always_begun(struct load_order *o, struct load_use *uses, size_t n);

#endif
