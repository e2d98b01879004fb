/* load_exit.c - local variables of functions that call exit.  They exist until the process has
 * ended, so what they point to is no leak; but nothing uses them after the call, and their
 * registers would be cleared at the next stop.  So a call that is never reached uses them
 * behind the call of exit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/prepare/load_scope.h"
#include "vm/load/table.h"

enum { MOST = 32 }; /* pointers of one variable */

/* Does the call end the process so that leaks are looked for?  A constant status that is an
 * error prevents that, except in a child. */
static bool ends_process(LLVMValueRef i, bool forks)
{
    static const char *const names[] = {"exit", "_exit", "_Exit", "quick_exit"};
    LLVMValueRef f = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!f || !LLVMIsAFunction(f) || LLVMGetNumArgOperands(i) != 1)
        return false;
    LLVMValueRef status = LLVMGetOperand(i, 0);
    if (!forks && LLVMIsAConstantInt(status) && LLVMConstIntGetZExtValue(status))
        return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(LLVMGetValueName(f), names[k]))
            return true;
    return false;
}

/* Returns the unreachable place behind a call of exit; NULL for other instructions. */
static LLVMValueRef behind_exit(LLVMValueRef i, bool forks)
{
    if (!ends_process(i, forks))
        return NULL;
    LLVMValueRef next = LLVMIsAInvokeInst(i) ? LLVMGetFirstInstruction(LLVMGetNormalDest(i))
                                             : LLVMGetNextInstruction(i);
    return next && LLVMIsAUnreachableInst(next) ? next : NULL;
}

/* ---- the pointers of a variable -------------------------------------------------- */

struct reader {
    struct loader *l;
    LLVMBuilderRef b;
    LLVMValueRef variable;
    struct list *values;
    int n; /* of this variable */
};

static void read_pointers(struct reader *r, LLVMTypeRef t, uint64_t at)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (r->n >= MOST)
        return;
    if (kind == LLVMPointerTypeKind) {
        LLVMTypeRef byte = LLVMInt8TypeInContext(r->l->context);
        LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(r->l->context), at, false);
        LLVMValueRef p =
            at ? LLVMBuildInBoundsGEP2(r->b, byte, r->variable, &offset, 1, "") : r->variable;
        LLVMValueRef value = LLVMBuildLoad2(r->b, t, p, "");
        list_push(r->values, &value);
        r->n++;
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned k = 0; k < LLVMCountStructElementTypes(t); k++)
            read_pointers(r, LLVMStructGetTypeAtIndex(t, k),
                          at + LLVMOffsetOfElement(r->l->layout, t, k));
    } else if (kind == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(t);
        for (uint64_t k = 0; k < LLVMGetArrayLength2(t) && k < MOST; k++)
            read_pointers(r, element, at + k * LLVMABISizeOfType(r->l->layout, element));
    }
}

/* ---- what has ended has no value ------------------------------------------------- */

static bool is_register(LLVMValueRef alloca)
{
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        bool stored = LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == alloca;
        if ((!LLVMIsALoadInst(i) && !stored && !load_mark(i)) ||
            (!load_mark(i) && LLVMGetVolatile(i)))
            return false;
    }
    return LLVMGetTypeKind(LLVMGetAllocatedType(alloca)) == LLVMPointerTypeKind;
}

static void forget_at_end(struct reader *r, LLVMValueRef alloca)
{
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
        if (load_mark(LLVMGetUser(u)) != LOAD_ENDS)
            continue;
        LLVMPositionBuilderBefore(r->b, LLVMGetUser(u));
        LLVMBuildStore(r->b, LLVMGetUndef(LLVMGetAllocatedType(alloca)), alloca);
    }
}

/* ---- functions ------------------------------------------------------------------- */

static void keep_behind(struct loader *l, LLVMValueRef f, LLVMValueRef end)
{
    struct list values = {.item = sizeof(LLVMValueRef)};
    struct reader r = {l, LLVMCreateBuilderInContext(l->context), NULL, &values, 0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAAllocaInst(i) || !LLVMIsConstant(LLVMGetOperand(i, 0)))
            continue;
        if (is_register(i))
            forget_at_end(&r, i);
        LLVMPositionBuilderBefore(r.b, end);
        r.variable = i;
        r.n = 0;
        read_pointers(&r, LLVMGetAllocatedType(i), 0);
    }
    if (values.n) {
        char name[32];
        snprintf(name, sizeof name, "divm.kept.%zu", values.n);
        LLVMTypeRef *types = vm_alloc(values.n * sizeof *types);
        for (size_t k = 0; k < values.n; k++)
            types[k] = LLVMPointerTypeInContext(l->context, 0);
        LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(l->context), types,
                                            (unsigned)values.n, false);
        LLVMModuleRef module = LLVMGetGlobalParent(f);
        LLVMValueRef kept = LLVMGetNamedFunction(module, name);
        kept = kept ? kept : LLVMAddFunction(module, name, type);
        LLVMBuildCall2(r.b, type, kept, values.data, (unsigned)values.n, "");
        free(types);
    }
    LLVMDisposeBuilder(r.b);
    free(values.data);
}

void load_exits(struct loader *l, LLVMModuleRef module)
{
    bool forks = LLVMGetNamedFunction(module, "fork") != NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !load_is_user(l, f))
            continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
                 i = LLVMGetNextInstruction(i)) {
                LLVMValueRef end = behind_exit(i, forks);
                if (end)
                    keep_behind(l, f, end);
            }
    }
}
