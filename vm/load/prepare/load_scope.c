/* load_scope.c - local variables that end with their block.
 *
 * clang marks them if it is told to (VM_SCOPES): llvm.lifetime.start where the declaration is
 * come to, llvm.lifetime.end where the block is left.  Such a variable is freed there
 * (lower/load_scoped.c).  Optimised code has marks as well, but may read what has ended if
 * nothing depends on it: so only the marks of code count whose debug information says that it
 * was told to; and of that, not the libraries' headers. */
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/prepare/load_scope.h"

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

LLVMValueRef load_marked(LLVMValueRef mark)
{
    return LLVMGetOperand(mark, 1);
}

bool load_has_mark(LLVMValueRef alloca, enum load_mark mark)
{
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u))
        if (load_mark(LLVMGetUser(u)) == mark)
            return true;
    return false;
}

/* ---- marks that are not needed --------------------------------------------------- */

/* Is the instruction part of a function's end?  The end reads the result, or the exception,
 * from local variables, at which no thread can wait. */
static bool is_of_the_end(LLVMValueRef i)
{
    bool reads = LLVMIsALoadInst(i) && LLVMIsAAllocaInst(LLVMGetOperand(i, 0)) &&
                 !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    return reads || load_mark(i) == LOAD_ENDS || LLVMIsAInsertValueInst(i) ||
           LLVMIsAExtractValueInst(i);
}

/* Does nothing follow but the end of the function, which frees all variables? */
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
    LLVMValueRef alloca = load_marked(mark);
    if (!LLVMIsAAllocaInst(alloca))
        return false;
    return load_mark(mark) == LOAD_ENDS
               ? !is_at_the_end(mark) && load_has_mark(alloca, LOAD_BEGINS)
               : load_has_mark(alloca, LOAD_ENDS);
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
