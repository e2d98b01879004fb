/* load_order.h - a function's blocks, the edges between them, and where in them its
 * instructions are; and what holds for a local variable on every edge.
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
/* An edge is identified by a block and a value in the slot, as number * n + block; the function
 * begins with edge 0. */
static inline uint32_t load_order_edges(const struct load_order *o)
{
    return (o->nvalues + 1) * o->n;
}
/* Calls visit with each edge that follows an edge. */
void load_order_follow(struct load_order *o, uint32_t from,
                       void (*visit)(void *context, uint32_t from, uint32_t to), void *context);

/* load_unset.c: a use of a local variable, and what it does */
struct load_use {
    LLVMValueRef i;
    uint64_t bytes;      /* a bit for each of the first 64 that is read or set */
    bool writes, copies; /* copies: reading what is not set is no error yet */
    enum load_mark mark; /* or it begins or ends here */
};

/* load_unset.c: what holds for a variable on all edges.  Each sorts the uses. */
/* May the variable be read before it is set?  Only for variables of up to 64 bytes. */
bool load_maybe_unset(struct load_order *o, struct load_use *uses, size_t n);
/* May it be used after its end? */
bool load_maybe_ended(struct load_order *o, struct load_use *uses, size_t n);
/* Has it begun at each use, on all edges? */
bool load_always_begun(struct load_order *o, struct load_use *uses, size_t n);

#endif
