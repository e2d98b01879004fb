/* load_scope.c - local variables that end with their block.
 *
 * clang marks them if it is told to (VM_SCOPES): llvm.lifetime.start where the declaration is
 * come to, llvm.lifetime.end where the block is left.  Such a variable is freed there; if its
 * beginning can be come to again it is made there, all others by their alloca.  Optimised code
 * has marks as well, but may read what has ended if nothing depends on it: so only the marks of
 * code count whose debug information says that it was told to; and of that, not the libraries'
 * headers. */
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"

enum load_mark load_mark(LLVMValueRef i)
{
    static const char *const names[] = {"llvm.lifetime.start", "llvm.lifetime.end"};
    static const enum load_mark marks[] = {LOAD_BEGINS, LOAD_ENDS};
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    unsigned id = f && LLVMIsAFunction(f) ? LLVMGetIntrinsicID(f) : 0;
    for (int k = 0; id && k < 2; k++)
        if (id == LLVMLookupIntrinsicID(names[k], strlen(names[k])))
            return marks[k];
    return LOAD_NO_MARK;
}

static LLVMValueRef marked(LLVMValueRef mark)
{
    return LLVMGetOperand(mark, 1);
}

static bool has(LLVMValueRef alloca, enum load_mark mark)
{
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u))
        if (load_mark(LLVMGetUser(u)) == mark)
            return true;
    return false;
}

/* ---- marks that are not needed --------------------------------------------------------- */

/* What the end of a function consists of: it reads its result, or the exception, from
 * local variables, which no thread can wait at. */
static bool is_of_the_end(LLVMValueRef i)
{
    bool reads = LLVMIsALoadInst(i) && LLVMIsAAllocaInst(LLVMGetOperand(i, 0)) &&
                 !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    return reads || load_mark(i) == LOAD_ENDS || LLVMIsAInsertValueInst(i) ||
           LLVMIsAExtractValueInst(i);
}

/* Does nothing come any more but the end of the function, which frees all? */
static bool is_at_the_end(LLVMValueRef i)
{
    enum { FAR = 100 };
    for (int steps = 0; steps < FAR; steps++) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (op == LLVMRet || op == LLVMResume || op == LLVMUnreachable)
            return true;
        if (op == LLVMBr && LLVMGetNumSuccessors(i) == 1)
            i = LLVMGetFirstInstruction(LLVMGetSuccessor(i, 0));
        else if (is_of_the_end(i))
            i = LLVMGetNextInstruction(i);
        else
            return false;
    }
    return false;
}

static bool is_needed(LLVMValueRef mark)
{
    LLVMValueRef alloca = marked(mark);
    if (!LLVMIsAAllocaInst(alloca))
        return false;
    return load_mark(mark) == LOAD_ENDS ? !is_at_the_end(mark) && has(alloca, LOAD_BEGINS)
                                        : has(alloca, LOAD_ENDS);
}

static void drop_marks(LLVMValueRef f, enum load_mark which, bool all)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (load_mark(i) == which && (all || !is_needed(i)))
                LLVMInstructionEraseFromParent(i);
        }
}

void load_scopes(struct loader *l, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        bool all = !load_has_scopes(l, f) || load_is_header(l, f);
        drop_marks(f, LOAD_ENDS, all);
        drop_marks(f, LOAD_BEGINS, all);
    }
}

/* ---- how marked variables are made ----------------------------------------------------- */

/* Values of the map "scoped": the variable's number in its function, from 1 on, twice; and 1
 * if it is made at its mark. */
enum { MADE_ANEW = 1 };

static void note(struct list *uses, LLVMValueRef i)
{
    struct load_use use = {.i = i, .bytes = 1, .mark = load_mark(i)};
    list_push(uses, &use);
}

/* A value that a phi takes is used where that is come from. */
static void note_phi(struct list *uses, LLVMValueRef phi, LLVMValueRef alloca)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingValue(phi, k) == alloca)
            note(uses, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
}

/* Has it begun wherever it is used? */
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

/* Per block, from 1 on, whether a way may lead from it back to it: then one of its steps goes
 * from there, or from further down, to there, or further up. */
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
        if (!LLVMIsAAllocaInst(i) || !has(i, LOAD_BEGINS) || !has(i, LOAD_ENDS))
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
    uint32_t number = lower_scoped(w, marked(call), &anew);
    if (number && load_mark(call) == LOAD_ENDS)
        lower_emit(w, (struct vm_insn){.op = VM_OP_ALLOCA_END, .k = number});
    else if (number && anew)
        lower_make(w, marked(call));
}
