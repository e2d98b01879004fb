/* load_pad.c - the bytes that clang adds to an atomic object whose size is no power of two.  A
 * compare-exchange compares them, and clang sets them to 0 in objects, but not in the copies
 * that it makes of other operands.  And the value that a compare-exchange finds goes to the
 * copy only, not to the variable that held what was expected (LLVM's issue 30023; clang 20 has
 * it right). */
#include "vm/load/load.h"
#include "vm/load/prepare/load_prepare.h"

/* Is it clang's type of such an object: { %struct.three_bytes, [1 x i8] }? */
bool load_is_padded(LLVMTypeRef t)
{
    if (LLVMGetTypeKind(t) != LLVMStructTypeKind || LLVMGetStructName(t) ||
        LLVMCountStructElementTypes(t) != 2)
        return false;
    LLVMTypeRef padding = LLVMStructGetTypeAtIndex(t, 1);
    return LLVMGetTypeKind(padding) == LLVMArrayTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(padding)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(padding)) == 8;
}

static void clear_padding(struct loader *l, LLVMValueRef alloca)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
    LLVMTypeRef t = LLVMGetAllocatedType(alloca);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(alloca));
    LLVMValueRef padding = LLVMBuildStructGEP2(b, t, alloca, 1, "");
    LLVMBuildStore(b, LLVMConstNull(LLVMStructGetTypeAtIndex(t, 1)), padding);
    LLVMDisposeBuilder(b);
}

/* Returns the call that copies something to the beginning of a padded variable. */
LLVMValueRef load_copied_from(LLVMValueRef alloca)
{
    static const char name[] = "llvm.memcpy";
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u), f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        if (f && LLVMIsAFunction(f) && LLVMGetOperand(i, 0) == alloca &&
            LLVMGetIntrinsicID(f) == LLVMLookupIntrinsicID(name, sizeof name - 1))
            return i;
    }
    return NULL;
}

static bool is_found(LLVMValueRef value)
{
    return LLVMIsAExtractValueInst(value) && LLVMGetIndices(value)[0] == 0 &&
           LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(value, 0));
}

static void give_back(struct loader *l, LLVMValueRef alloca)
{
    LLVMValueRef copy = load_copied_from(alloca);
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); copy && u; u = LLVMGetNextUse(u)) {
        LLVMValueRef store = LLVMGetUser(u);
        if (!LLVMIsAStoreInst(store) || !is_found(LLVMGetOperand(store, 0)))
            continue;
        LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(store));
        LLVMBuildMemCpy(b, LLVMGetOperand(copy, 1), 1, alloca, 1, LLVMGetOperand(copy, 2));
        LLVMDisposeBuilder(b);
        return;
    }
}

void load_padding(struct loader *l, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsAAllocaInst(i) && load_is_padded(LLVMGetAllocatedType(i))) {
                    clear_padding(l, i);
                    give_back(l, i);
                }
}
