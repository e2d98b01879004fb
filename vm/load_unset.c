/* load_unset.c - local variables that may be read before they are set.  mem2reg takes what
 * is not set for whatever suits: of "set here, or not at all" it makes "set here", and the
 * author's error would be gone.  In memory they keep it, and their names with it.
 *
 * Forwards through the blocks: the bytes that are set whatever way led there. */
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "memory.h"

void load_order_init(struct load_order *o, LLVMValueRef function)
{
    *o = (struct load_order){.n = LLVMCountBasicBlocks(function)};
    o->block = vm_alloc((o->n + 1) * sizeof *o->block);
    LLVMGetBasicBlocks(function, o->block);
    for (uint32_t b = 0; b < o->n; b++) {
        map_put(&o->blocks, o->block[b], b + 1);
        uint32_t at = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(o->block[b]); i;
             i = LLVMGetNextInstruction(i))
            map_put(&o->places, i, ++at);
    }
}

void load_order_fini(struct load_order *o)
{
    map_fini(&o->blocks);
    map_fini(&o->places);
    free(o->block);
}

static uint32_t block_of(struct load_order *o, const struct load_use *u)
{
    return (uint32_t)map_get(&o->blocks, LLVMGetInstructionParent(u->i)) - 1;
}

/* in[b] loses what is not set where b is come to from; until nothing changes. */
static void flow(struct load_order *o, const uint64_t *set, uint64_t *in)
{
    bool changed = true;
    memset(in, 0xff, o->n * sizeof *in);
    in[0] = 0;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < o->n; b++) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(o->block[b]);
            for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
                LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
                uint32_t to = (uint32_t)map_get(&o->blocks, next) - 1;
                uint64_t left = in[to] & (in[b] | set[b]);
                changed |= left != in[to];
                in[to] = left;
            }
        }
    }
}

/* What the uses before u in its block set. */
static uint64_t set_before(struct load_order *o, const struct load_use *uses, size_t n,
                           const struct load_use *u)
{
    uint64_t bytes = 0;
    for (size_t k = 0; k < n; k++)
        if (uses[k].writes &&
            LLVMGetInstructionParent(uses[k].i) == LLVMGetInstructionParent(u->i) &&
            map_get(&o->places, uses[k].i) < map_get(&o->places, u->i))
            bytes |= uses[k].bytes;
    return bytes;
}

bool load_maybe_unset(struct load_order *o, const struct load_use *uses, size_t n)
{
    uint64_t *set = vm_alloc(o->n * 2 * sizeof *set), *in = set + o->n, stored = 0;
    bool unset = false;
    memset(set, 0, o->n * sizeof *set);
    for (size_t k = 0; k < n; k++)
        if (uses[k].writes) {
            set[block_of(o, &uses[k])] |= uses[k].bytes;
            stored |= uses[k].copies ? 0 : uses[k].bytes;
        }
    flow(o, set, in);
    for (size_t k = 0; k < n && !unset; k++) {
        const struct load_use *u = &uses[k];
        /* to copy what nobody ever stores, as padding, is no matter */
        uint64_t wanted = u->copies ? u->bytes & stored : u->bytes;
        uint64_t left = u->writes ? 0 : wanted & ~in[block_of(o, u)];
        unset = left && left & ~set_before(o, uses, n, u);
    }
    free(set);
    return unset;
}
