/* load_unset.c - local variables that may be read before they are set, or used after they have
 * ended.  mem2reg takes what is not set for whatever suits: of "set here, or not at all" it
 * makes "set here", and the author's error would be gone.  In memory they keep it, and their
 * names with it. */
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

/* ---- forwards through the blocks ------------------------------------------------------- */

/* What a use makes of the facts that hold before it: a bit each. */
typedef uint64_t effect(uint64_t facts, const struct load_use *u);

static uint64_t bytes_set(uint64_t facts, const struct load_use *u)
{
    return u->mark ? 0 : u->writes ? facts | u->bytes : facts;
}

static uint64_t not_ended(uint64_t facts, const struct load_use *u)
{
    return u->mark == LOAD_ENDS ? 0 : u->mark == LOAD_BEGINS ? 1 : facts;
}

static uint64_t begun(uint64_t facts, const struct load_use *u)
{
    return u->mark == LOAD_BEGINS ? 1 : facts;
}

static int by_place(const void *x, const void *y, void *order)
{
    const struct load_use *a = x, *b = y;
    struct load_order *o = order;
    uint32_t p = block_of(o, a), q = block_of(o, b);
    if (p == q)
        p = map_get(&o->places, a->i), q = map_get(&o->places, b->i);
    return p < q ? -1 : p > q;
}

/* in[b] loses what does not hold where b is come to from; until nothing changes. */
static void flow(struct load_order *o, const uint64_t *gives, const uint64_t *leaves,
                 uint64_t *in)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < o->n; b++) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(o->block[b]);
            for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
                LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
                uint32_t to = (uint32_t)map_get(&o->blocks, next) - 1;
                uint64_t left = in[to] & ((in[b] & leaves[b]) | gives[b]);
                changed |= left != in[to];
                in[to] = left;
            }
        }
    }
}

/* Where one of the uses, which are sorted for that, lacks a fact that it needs: whatever way
 * led there is to have established it. */
static bool lacks(struct load_order *o, struct load_use *uses, size_t n, effect *effect,
                  uint64_t first, uint64_t (*needs)(const struct load_use *u, uint64_t context),
                  uint64_t context)
{
    uint64_t *gives = vm_alloc(o->n * 3 * sizeof *gives), *leaves = gives + o->n,
             *in = leaves + o->n, facts = 0;
    bool lacking = false;
    qsort_r(uses, n, sizeof *uses, by_place, o);
    memset(gives, 0, o->n * sizeof *gives);
    memset(leaves, 0xff, o->n * 2 * sizeof *leaves);
    in[0] = first;
    for (size_t k = 0; k < n; k++) {
        uint32_t b = block_of(o, &uses[k]);
        gives[b] = effect(gives[b], &uses[k]);
        leaves[b] = effect(leaves[b], &uses[k]);
    }
    flow(o, gives, leaves, in);
    for (size_t k = 0; k < n && !lacking; k++) {
        uint32_t b = block_of(o, &uses[k]);
        if (k == 0 || block_of(o, &uses[k - 1]) != b)
            facts = in[b];
        lacking = needs(&uses[k], context) & ~facts;
        facts = effect(facts, &uses[k]);
    }
    free(gives);
    return lacking;
}

/* ---- what is asked --------------------------------------------------------------------- */

/* To copy what nobody ever stores, as padding, is no matter. */
static uint64_t reads(const struct load_use *u, uint64_t stored)
{
    return u->writes || u->mark ? 0 : u->copies ? u->bytes & stored : u->bytes;
}

static uint64_t uses_it(const struct load_use *u, uint64_t unused)
{
    (void)unused;
    return u->mark ? 0 : 1;
}

bool load_maybe_unset(struct load_order *o, struct load_use *uses, size_t n)
{
    uint64_t stored = 0;
    for (size_t k = 0; k < n; k++)
        stored |= uses[k].writes && !uses[k].copies ? uses[k].bytes : 0;
    return lacks(o, uses, n, bytes_set, 0, reads, stored);
}

bool load_maybe_ended(struct load_order *o, struct load_use *uses, size_t n)
{
    return lacks(o, uses, n, not_ended, 1, uses_it, 0);
}

bool load_always_begun(struct load_order *o, struct load_use *uses, size_t n)
{
    return !lacks(o, uses, n, begun, 0, uses_it, 0);
}
