/* load_exchange.c - compare-exchange of structures and unions, which may have padding.
 *
 * C compares all bytes (7.17.7.4), and padding has any value, so that also a strong exchange
 * may fail where all members agree; C++20 compares values only.  The instruction knows nothing
 * of types.  So a function of the library, which is told which bits are padding, takes its
 * place, and that of the library's function for large objects (libc/stdatomic/exchange.c). What
 * type it is the debug metadata say, of what is expected or of the object.  Where they do not,
 * and the code is as it was written, it might be any. */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/prepare/load_layout.h"
#include "vm/load/prepare/load_prepare.h"

enum { KNOWN = 1, VALUES = 2, WEAK = 4, WORD = 64 }; /* as in exchange.c */

struct exchange {
    struct load_declared *declared;
    LLVMValueRef i, object, expected; /* expected: its address, or NULL */
    uint64_t size;
};

/* Returns the type of an operand that is a larger copy which clang made to add bytes. */
static LLVMMetadataRef type_of_copied(const struct exchange *x)
{
    bool padded =
        LLVMIsAAllocaInst(x->expected) && load_is_padded(LLVMGetAllocatedType(x->expected));
    LLVMValueRef copy = padded ? load_copied_from(x->expected) : NULL;
    LLVMValueRef size = copy ? LLVMGetOperand(copy, 2) : NULL;
    return size && LLVMIsAConstantInt(size) ? load_type_at(x->declared, LLVMGetOperand(copy, 1),
                                                           LLVMConstIntGetZExtValue(size))
                                            : NULL;
}

static LLVMMetadataRef type_of(const struct exchange *x)
{
    LLVMMetadataRef type = NULL;
    if (x->expected)
        type = load_type_at(x->declared, x->expected, x->size);
    if (x->expected && !type)
        type = type_of_copied(x);
    return type ? type : load_type_at(x->declared, x->object, x->size);
}

static LLVMTypeRef word_type(struct loader *l)
{
    return LLVMInt64TypeInContext(l->context);
}

/* Makes a constant array with the bits of each word that are padding. */
static LLVMValueRef padding_of(struct loader *l, LLVMMetadataRef type, uint64_t bytes)
{
    enum { MAX_WORDS = 64 };
    uint64_t values[MAX_WORDS] = {0}, size = LLVMDITypeGetSizeInBits(type);
    LLVMValueRef words[MAX_WORDS];
    unsigned n = (unsigned)((bytes + 7) / 8);
    if (n > MAX_WORDS || !load_value_bits(l, type, 0, values, n * WORD))
        return NULL;
    for (uint64_t k = 0; k < n; k++) {
        uint64_t rest = size > k * WORD ? size - k * WORD : 0;
        uint64_t in = rest >= WORD ? ~0ull : (1ull << rest) - 1;
        words[k] = LLVMConstInt(word_type(l), in & ~values[k], false);
    }
    LLVMValueRef array = LLVMConstArray2(word_type(l), words, n);
    LLVMValueRef g = LLVMAddGlobal(l->module, LLVMTypeOf(array), "divm.padding");
    LLVMSetInitializer(g, array);
    LLVMSetGlobalConstant(g, true);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    return g;
}

/* _Bool __atomic_compare_padded(size_t, void *, void *, const void *, const uint64_t *, int) */
static LLVMValueRef call_function(struct loader *l, LLVMBuilderRef b, LLVMValueRef arg[6])
{
    static const char name[] = "__atomic_compare_padded";
    LLVMTypeRef p = LLVMPointerTypeInContext(l->context, 0);
    LLVMTypeRef types[] = {word_type(l), p, p, p, p, LLVMInt32TypeInContext(l->context)};
    LLVMTypeRef type = LLVMFunctionType(LLVMInt1TypeInContext(l->context), types, 6, false);
    LLVMValueRef f = LLVMGetNamedFunction(l->module, name);
    return LLVMBuildCall2(b, type, f ? f : LLVMAddFunction(l->module, name, type), arg, 6, "");
}

/* Stores an operand of the instruction in memory, for the time of the call. */
static LLVMValueRef in_memory(LLVMBuilderRef b, LLVMValueRef value)
{
    LLVMValueRef p = LLVMBuildAlloca(b, LLVMTypeOf(value), "");
    LLVMBuildStore(b, value, p);
    return p;
}

static LLVMValueRef intrinsic(struct loader *l, LLVMBuilderRef b, const char *name,
                              LLVMValueRef *arg, unsigned n)
{
    LLVMTypeRef p = LLVMPointerTypeInContext(l->context, 0);
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(l->module, id, &p, 1);
    return LLVMBuildCall2(b, LLVMIntrinsicGetType(l->context, id, &p, 1), f, arg, n, "");
}

static void replace(struct loader *l, const struct exchange *x, LLVMValueRef padding, int how)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
    LLVMTypeRef p = LLVMPointerTypeInContext(l->context, 0);
    LLVMValueRef arg[6] = {LLVMConstInt(word_type(l), x->size, false), x->object};
    LLVMPositionBuilderBefore(b, x->i); /* and its place in the source */
    arg[4] = padding ? padding : LLVMConstNull(p);
    arg[5] = LLVMConstInt(LLVMInt32TypeInContext(l->context), (unsigned)how, false);
    LLVMValueRef result;
    if (LLVMIsAAtomicCmpXchgInst(x->i)) {
        LLVMValueRef stack = intrinsic(l, b, "llvm.stacksave", NULL, 0);
        LLVMValueRef want = LLVMGetOperand(x->i, 1);
        arg[2] = in_memory(b, want);
        arg[3] = in_memory(b, LLVMGetOperand(x->i, 2));
        LLVMValueRef equal = call_function(l, b, arg);
        LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(want), arg[2], "");
        intrinsic(l, b, "llvm.stackrestore", &stack, 1);
        result = LLVMBuildInsertValue(b, LLVMGetPoison(LLVMTypeOf(x->i)), old, 0, "");
        result = LLVMBuildInsertValue(b, result, equal, 1, "");
    } else {
        arg[2] = LLVMGetOperand(x->i, 2);
        arg[3] = LLVMGetOperand(x->i, 3);
        result = call_function(l, b, arg);
    }
    LLVMReplaceAllUsesWith(x->i, result);
    LLVMInstructionEraseFromParent(x->i);
    LLVMDisposeBuilder(b);
}

/* Is this a compare-exchange that may have padding: an instruction, or a call with a known
 * size? */
static bool is_exchange(struct loader *l, LLVMValueRef i, struct exchange *x)
{
    static const char name[] = "__atomic_compare_exchange";
    x->i = i;
    if (LLVMIsAAtomicCmpXchgInst(i)) {
        LLVMValueRef want = LLVMGetOperand(i, 1);
        LLVMTypeRef t = LLVMTypeOf(want);
        x->object = LLVMGetOperand(i, 0);
        x->expected = LLVMIsALoadInst(want) ? LLVMGetOperand(want, 0) : NULL;
        x->size = LLVMStoreSizeOfType(l->layout, t);
        return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && x->size <= 16;
    }
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!f || !LLVMIsAFunction(f) || strcmp(LLVMGetValueName(f), name) ||
        LLVMGetNumArgOperands(i) != 6 || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
        return false;
    x->size = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    x->object = LLVMGetOperand(i, 1);
    x->expected = LLVMGetOperand(i, 2);
    return LLVMIsDeclaration(f);
}

static bool is_as_written(struct loader *l, LLVMValueRef f)
{
    return l->load->as_written ||
           LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         LOAD_AS_WRITTEN, sizeof LOAD_AS_WRITTEN - 1);
}

static void look_at(struct loader *l, struct load_declared *d, LLVMValueRef i, bool cxx)
{
    struct exchange x = {.declared = d};
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    if (!is_exchange(l, i, &x))
        return;
    LLVMMetadataRef type = type_of(&x);
    if (type ? load_is_scalar(type) : x.size == 1 || !is_as_written(l, f))
        return;
    LLVMValueRef padding = type ? padding_of(l, type, x.size) : NULL;
    bool weak = LLVMIsAAtomicCmpXchgInst(i) && LLVMGetWeak(i);
    l->program->weak_exchanges |= weak && load_is_user(l, f);
    replace(l, &x, padding,
            (padding ? KNOWN : 0) | (padding && cxx ? VALUES : 0) | (weak ? WEAK : 0));
}

static bool has_exchange(struct loader *l, LLVMValueRef f)
{
    struct exchange x;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_exchange(l, i, &x))
                return true;
    return false;
}

static void look_in(struct loader *l, LLVMValueRef f)
{
    struct load_declared declared;
    bool cxx = load_is_cxx(l, f);
    load_declared_init(&declared, l, f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            look_at(l, &declared, i, cxx);
        }
    load_declared_fini(&declared);
}

void load_exchanges(struct loader *l)
{
    LLVMModuleRef module = l->module;
    bool any = false;
    LLVMBool format = LLVMIsNewDbgInfoFormat(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !any; f = LLVMGetNextFunction(f))
        any = has_exchange(l, f);
    if (!any)
        return;
    LLVMSetIsNewDbgInfoFormat(module, false); /* the other one cannot be read from C */
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (has_exchange(l, f))
            look_in(l, f);
    LLVMSetIsNewDbgInfoFormat(module, format);
}
