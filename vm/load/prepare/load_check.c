/* load_check.c - checks that clang makes of what its code does not show any more: the length of
 * arrays of variable length, and that an index stays in its array, which may be a part of an
 * object.  Arrays that are objects of their own need no check. */
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/prepare/load_check.h"
#include "vm/load/prepare/load_prepare.h"

/* Returns the jump that leads to a trap, if no other does. */
LLVMValueRef load_jump_to(LLVMValueRef trap)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(LLVMGetInstructionParent(trap)));
    LLVMValueRef jump = use ? LLVMGetUser(use) : NULL;
    return jump && !LLVMGetNextUse(use) && LLVMIsABranchInst(jump) && LLVMIsConditional(jump)
               ? jump
               : NULL;
}

/* Returns the beginning of the array whose index was checked: its address is computed behind
 * the check. */
static LLVMValueRef element_behind(LLVMValueRef jump)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetSuccessor(jump, 0));
    while (i && !LLVMIsAGetElementPtrInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static bool calls(LLVMValueRef i, const char *intrinsic)
{
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return f && LLVMIsAFunction(f) &&
           LLVMGetIntrinsicID(f) == LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
}

bool load_is_checked(LLVMValueRef i, enum vm_checked what)
{
    return calls(i, "llvm.ubsantrap") && LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) == what;
}

/* ---- checks that are not needed -------------------------------------------------- */

static bool is_object(struct loader *l, LLVMValueRef array, LLVMTypeRef indexed)
{
    if (calls(array, "llvm.threadlocal.address"))
        array = LLVMGetOperand(array, 0);
    if (LLVMIsAGlobalVariable(array))
        return LLVMABISizeOfType(l->layout, LLVMGlobalGetValueType(array)) ==
               LLVMABISizeOfType(l->layout, indexed);
    return LLVMIsAAllocaInst(array) &&
           (!LLVMIsConstant(LLVMGetOperand(array, 0)) ||
            LLVMABISizeOfType(l->layout, LLVMGetAllocatedType(array)) ==
                LLVMABISizeOfType(l->layout, indexed));
}

static void drop(struct loader *l, LLVMValueRef jump)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
    LLVMPositionBuilderBefore(b, jump);
    LLVMBuildBr(b, LLVMGetSuccessor(jump, 0));
    LLVMInstructionEraseFromParent(jump);
    LLVMDisposeBuilder(b);
}

void load_checks(struct loader *l, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef trap = LLVMGetFirstInstruction(b);
            LLVMValueRef jump =
                load_is_checked(trap, VM_CHECKED_INDEX) ? load_jump_to(trap) : NULL;
            LLVMValueRef element = jump ? element_behind(jump) : NULL;
            if (element &&
                is_object(l, LLVMGetOperand(element, 0), LLVMGetGEPSourceElementType(element)))
                drop(l, jump);
        }
}
