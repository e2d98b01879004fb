/* load_adapt.c - calls, by other integer types, of functions that <divm.h> declares.
 *
 * Programs that don't include it declare these functions themselves, with any integer type:
 * void __VERIFIER_assume(_Bool), or (intptr_t). Such a call goes to a function of the declared
 * type, which converts the arguments: numbers are extended as their types say, and a number
 * that does not fit becomes the nearest one that does, so that no number becomes 0 which was
 * not 0. */
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/prepare/load_prepare.h"

static bool is_own(struct loader *l, LLVMValueRef f)
{
    const char *name = LLVMGetValueName(f);
    return (!strncmp(name, "__VERIFIER_", 11) || !strncmp(name, "divm_", 5)) &&
           !LLVMIsDeclaration(f) && !load_is_user(l, f);
}

static bool is_number(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 64;
}

static bool is_convertible(LLVMTypeRef from, LLVMTypeRef to)
{
    return from == to || (is_number(from) && is_number(to));
}

/* Do two function types differ in integer types only? */
static bool can_adapt(LLVMTypeRef called, LLVMTypeRef is, unsigned given)
{
    unsigned n = LLVMCountParamTypes(is);
    if (called == is || n != LLVMCountParamTypes(called) || n != given ||
        LLVMIsFunctionVarArg(is) || n > 1)
        return false;
    LLVMTypeRef from = NULL, to = NULL;
    LLVMGetParamTypes(called, &from);
    LLVMGetParamTypes(is, &to);
    return is_convertible(LLVMGetReturnType(is), LLVMGetReturnType(called)) &&
           (n == 0 || is_convertible(from, to));
}

static LLVMValueRef nearest(LLVMBuilderRef b, LLVMValueRef v, unsigned bits, LLVMTypeRef to)
{
    LLVMTypeRef from = LLVMTypeOf(v);
    LLVMValueRef most = LLVMConstInt(from, ((uint64_t)1 << (bits - 1)) - 1, true),
                 least = LLVMConstNot(most);
    v = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSGT, v, most, ""), most, v, "");
    v = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSLT, v, least, ""), least, v, "");
    return LLVMBuildTrunc(b, v, to, "");
}

static LLVMValueRef convert(LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef to, bool is_signed)
{
    LLVMTypeRef from = LLVMTypeOf(v);
    if (from == to)
        return v;
    unsigned wide = LLVMGetIntTypeWidth(from), narrow = LLVMGetIntTypeWidth(to);
    if (wide > narrow && narrow == 1)
        return LLVMBuildICmp(b, LLVMIntNE, v, LLVMConstNull(from), "");
    if (wide > narrow)
        return nearest(b, v, narrow, to);
    return is_signed ? LLVMBuildSExt(b, v, to, "") : LLVMBuildZExt(b, v, to, "");
}

static unsigned signext(void)
{
    return LLVMGetEnumAttributeKindForName("signext", 7);
}

/* Makes a function of this type that calls f. */
static LLVMValueRef adapter(struct loader *l, LLVMValueRef f, LLVMTypeRef type, bool is_signed)
{
    LLVMTypeRef is = LLVMGlobalGetValueType(f), result = LLVMGetReturnType(type);
    unsigned n = LLVMCountParamTypes(is);
    LLVMTypeRef to = NULL;
    LLVMGetParamTypes(is, &to);
    LLVMValueRef made = LLVMAddFunction(l->module, LLVMGetValueName(f), type);
    LLVMSetLinkage(made, LLVMInternalLinkage);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(l->context, made, ""));
    LLVMValueRef arg = n ? convert(b, LLVMGetParam(made, 0), to, is_signed) : NULL;
    LLVMValueRef value = LLVMBuildCall2(b, is, f, &arg, n, "");
    bool negative = LLVMGetEnumAttributeAtIndex(f, LLVMAttributeReturnIndex, signext());
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, convert(b, value, result, negative));
    LLVMDisposeBuilder(b);
    return made;
}

static LLVMTypeRef without_more(LLVMTypeRef t)
{
    LLVMTypeRef param = NULL;
    LLVMGetParamTypes(t, &param);
    return LLVMFunctionType(LLVMGetReturnType(t), &param, LLVMCountParamTypes(t), false);
}

/* Makes the calls of f by other types call adapters. */
static void adapt_calls(struct loader *l, LLVMValueRef f)
{
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!(LLVMIsACallInst(call) || LLVMIsAInvokeInst(call)) ||
            LLVMGetCalledValue(call) != f || LLVMGetNumArgOperands(call) > 1)
            continue;
        LLVMTypeRef type = without_more(LLVMGetCalledFunctionType(call)); /* it has no more */
        if (!can_adapt(type, LLVMGlobalGetValueType(f), LLVMGetNumArgOperands(call)))
            continue;
        bool is_signed =
            LLVMGetNumArgOperands(call) && LLVMGetCallSiteEnumAttribute(call, 1, signext());
        LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
                       adapter(l, f, type, is_signed));
    }
}

void load_adapt(struct loader *l)
{
    LLVMValueRef last = LLVMGetLastFunction(l->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
        if (is_own(l, f))
            adapt_calls(l, f);
        if (f == last)
            return; /* adapters follow */
    }
}
