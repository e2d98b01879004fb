/* load_scoped.c - makes and frees local variables that end with their block.  They are freed
 * where their end is marked.  If control can come back to the beginning of one, it is made
 * there; all others are made by their alloca.
 *
 * They are freed where their end is marked; if the beginning of one can be come to again it is
 * made there, all others by their alloca. */
#include <stdlib.h>

#include "vm/heap/memory.h"
#include "vm/load/lower/load_flow.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_memory.h"
#include "vm/load/lowering.h"
#include "vm/load/prepare/load_order.h"
#include "vm/load/prepare/load_scope.h"
#include "vm/load/table.h"

/* The map "scoped" holds twice a variable's number in its function (from 1 on), plus this if it
 * is made at its mark. */
enum { MADE_ANEW = 1 };

static void note(struct list *uses, LLVMValueRef i)
{
    struct load_use use = {.i = i, .bytes = 1, .mark = load_mark(i)};
    list_push(uses, &use);
}

/* A value that a phi takes is used at the end of the block that the edge comes from. */
static void note_phi(struct list *uses, LLVMValueRef phi, LLVMValueRef alloca)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingValue(phi, k) == alloca)
            note(uses, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
}

/* Has the variable begun wherever it is used? */
static bool begins_first(LLVMValueRef alloca, struct load_order *order)
{
    struct list uses = {.item = sizeof(struct load_use)};
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u))
        if (LLVMIsAPHINode(LLVMGetUser(u)))
            note_phi(&uses, LLVMGetUser(u), alloca);
        else
            note(&uses, LLVMGetUser(u));
    bool first = load_always_begun(order, uses.data, uses.n);
    free(uses.data);
    return first;
}

/* Returns for each block, numbered from 1 on, whether it may be in a loop: whether an edge
 * leads from it or a later block to it or an earlier one. */
static int32_t *find_loops(struct load_order *o)
{
    int32_t *steps = vm_zeros(o->n + 2, sizeof *steps);
    for (uint32_t from = 1; from <= o->n; from++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(o->block[from - 1]);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            uint32_t to = map_get(&o->blocks, LLVMGetSuccessor(end, k));
            if (to <= from) {
                steps[to]++;
                steps[from + 1]--;
            }
        }
    }
    for (uint32_t at = 1; at <= o->n; at++)
        steps[at] += steps[at - 1];
    return steps;
}

static bool begins_again(LLVMValueRef alloca, struct load_order *order, const int32_t *loops)
{
    unsigned n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (load_mark(i) == LOAD_BEGINS &&
            (++n > 1 || loops[map_get(&order->blocks, LLVMGetInstructionParent(i))]))
            return true;
    }
    return false;
}

void lower_scopes(struct lowering *w)
{
    struct load_order order = {0};
    int32_t *loops = NULL;
    uint32_t n = 0;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(w->function);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAAllocaInst(i) || !load_has_mark(i, LOAD_BEGINS) ||
            !load_has_mark(i, LOAD_ENDS))
            continue;
        if (!loops) {
            load_order_init(&order, w->function);
            loops = find_loops(&order);
        }
        bool anew = begins_again(i, &order, loops);
        if (!anew || begins_first(i, &order))
            map_put(&w->scoped, i, 2 * ++n + (anew ? MADE_ANEW : 0));
    }
    load_order_fini(&order);
    free(loops);
}

uint32_t lower_scoped(struct lowering *w, LLVMValueRef alloca, bool *anew)
{
    uint32_t value = map_get(&w->scoped, alloca);
    *anew = value & MADE_ANEW;
    return value / 2;
}

void lower_mark(struct lowering *w, LLVMValueRef call)
{
    bool anew;
    uint32_t number = lower_scoped(w, load_marked(call), &anew);
    if (number && load_mark(call) == LOAD_ENDS)
        lower_emit(w, (struct vm_insn){.op = VM_OP_ALLOCA_END, .k = number});
    else if (number && anew)
        lower_make(w, load_marked(call));
}
