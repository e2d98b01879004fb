/* load_order.c - a function's blocks, and the edges between them.
 *
 * Where several edges leave a block whose variables end, clang leads them all through the code
 * that ends these variables, and keeps in a variable of its own, which it calls
 * cleanup.dest.slot, where each of them goes on. An analysis of what holds on all edges must
 * not mix these edges up, so an edge is identified by its block and the value of that variable.
 */
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/prepare/load_order.h"
#include "vm/load/table.h"

static LLVMValueRef find_slot(LLVMBasicBlockRef entry)
{
    static const char name[] = "cleanup.dest.slot";
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        size_t length;
        if (LLVMIsAAllocaInst(i) &&
            !strncmp(LLVMGetValueName2(i, &length), name, sizeof name - 1))
            return i;
    }
    return NULL;
}

/* Returns the number of the value that this block leaves in the slot; 0 if the block does not
 * change the slot. */
static uint32_t number_of(struct load_order *o, LLVMBasicBlockRef b)
{
    LLVMValueRef last = NULL;
    uint64_t value;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == o->slot)
            last = LLVMGetOperand(i, 0);
    if (!last || !LLVMIsAConstantInt(last))
        return 0;
    value = LLVMConstIntGetZExtValue(last);
    for (uint32_t k = 0; k < o->nvalues; k++)
        if (o->value[k] == value)
            return k + 1;
    if (o->nvalues == LOAD_MAX_VALUES)
        return 0;
    o->value[o->nvalues++] = value;
    return o->nvalues;
}

/* Does the block end with a switch over the slot's value? */
static bool is_by_slot(const struct load_order *o, LLVMValueRef end)
{
    LLVMValueRef from = LLVMIsASwitchInst(end) ? LLVMGetOperand(end, 0) : NULL;
    if (!from || !LLVMIsALoadInst(from) || LLVMGetOperand(from, 0) != o->slot ||
        LLVMGetInstructionParent(from) != LLVMGetInstructionParent(end))
        return false;
    for (LLVMValueRef i = from; i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == o->slot)
            return false;
    return true;
}

/* Is all that is ever stored in the slot known? */
static bool is_known(const struct load_order *o)
{
    for (LLVMUseRef u = LLVMGetFirstUse(o->slot); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsALoadInst(i) &&
            !(LLVMIsAStoreInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0))))
            return false;
    }
    return true;
}

void load_order_init(struct load_order *o, LLVMValueRef function)
{
    *o = (struct load_order){.n = LLVMCountBasicBlocks(function)};
    o->block = vm_alloc((o->n + 1) * sizeof *o->block);
    o->leaves = vm_alloc((o->n + 1) * sizeof *o->leaves);
    LLVMGetBasicBlocks(function, o->block);
    o->slot = find_slot(LLVMGetEntryBasicBlock(function));
    if (o->slot && !is_known(o))
        o->slot = NULL;
    for (uint32_t b = 0; b < o->n; b++) {
        map_put(&o->blocks, o->block[b], b + 1);
        uint32_t at = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(o->block[b]); i;
             i = LLVMGetNextInstruction(i))
            map_put(&o->places, i, ++at);
        o->leaves[b] = o->slot ? number_of(o, o->block[b]) : 0;
    }
    if (o->nvalues == LOAD_MAX_VALUES) { /* there may be more */
        o->slot = NULL;
        o->nvalues = 0;
        memset(o->leaves, 0, o->n * sizeof *o->leaves);
    }
}

void load_order_fini(struct load_order *o)
{
    map_fini(&o->blocks);
    map_fini(&o->places);
    free(o->block);
    free(o->leaves);
}

uint32_t load_order_block(struct load_order *o, LLVMValueRef i)
{
    return map_get(&o->blocks, LLVMGetInstructionParent(i)) - 1;
}

static uint32_t way(struct load_order *o, LLVMBasicBlockRef to, uint32_t number)
{
    return number * o->n + (map_get(&o->blocks, to) - 1);
}

void load_order_follow(struct load_order *o, uint32_t from,
                       void (*visit)(void *context, uint32_t from, uint32_t to), void *context)
{
    uint32_t b = from % o->n, number = o->leaves[b] ? o->leaves[b] : from / o->n;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(o->block[b]);
    unsigned n = LLVMGetNumSuccessors(end);
    if (number == 0 || !is_by_slot(o, end)) {
        for (unsigned k = 0; k < n; k++)
            visit(context, from, way(o, LLVMGetSuccessor(end, k), number));
        return;
    }
    unsigned k = 1;
    while (k < n &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(end, 2 * k)) != o->value[number - 1])
        k++;
    visit(context, from, way(o, LLVMGetSuccessor(end, k < n ? k : 0), number));
}
