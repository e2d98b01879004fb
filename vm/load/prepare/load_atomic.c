/* load_atomic.c - functions that are atomic sections: by the rules of SV-COMP those whose
 * names begin with __VERIFIER_atomic_.  One that another calls, or that is called in a section,
 * is a part of that.  Whoever leaves a function otherwise than by returning (longjmp,
 * pthread_exit, an exception) calls the kernel, which ends a section. */
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/prepare/load_prepare.h"

static const char prefix[] = "__VERIFIER_atomic_";

bool load_is_atomic(const char *name)
{
    return !strncmp(name, prefix, sizeof prefix - 1) &&
           strcmp(name, "__VERIFIER_atomic_begin") && strcmp(name, "__VERIFIER_atomic_end");
}

static LLVMValueRef kernel_function(struct loader *l, const char *name, LLVMTypeRef type)
{
    LLVMValueRef f = LLVMGetNamedFunction(l->module, name);
    return f ? f : LLVMAddFunction(l->module, name, type);
}

/* Puts the section's beginning behind the local variables, and its end before each return. */
static void make_section(struct loader *l, LLVMValueRef f)
{
    LLVMTypeRef number = LLVMInt32TypeInContext(l->context),
                begin = LLVMFunctionType(number, NULL, 0, false),
                end = LLVMFunctionType(LLVMVoidTypeInContext(l->context), &number, 1, false);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(b, at);
    LLVMValueRef begun =
        LLVMBuildCall2(b, begin, kernel_function(l, "__os_section_begin", begin), NULL, 0, "");
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (!last || !LLVMIsAReturnInst(last))
            continue;
        LLVMPositionBuilderBefore(b, last);
        LLVMBuildCall2(b, end, kernel_function(l, "__os_section_end", end), &begun, 1, "");
    }
    LLVMDisposeBuilder(b);
}

void load_atomic_functions(struct loader *l)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && load_is_atomic(LLVMGetValueName(f)))
            make_section(l, f);
}
