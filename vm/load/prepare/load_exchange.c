/* load_exchange.c - compare-exchange of structures and unions, which may have padding.
 *
 * C compares all bytes (7.17.7.4), and padding has any value, so that also a strong exchange
 * may fail where all members agree; C++20 compares values only.  The instruction knows nothing
 * of types.  So it is marked with the bits that are padding (vm/exec/exchange.c).  The
 * library's function for objects that no instruction exchanges has another one take its place,
 * which is told the same (libc/stdatomic/exchange.c).  What type it is the debug metadata say,
 * of what is expected or of the object.  Where they do not, and the code is as it was written,
 * it might be any. */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/prepare/load_layout.h"
#include "vm/load/prepare/load_prepare.h"

enum { WORD = 64, MAX_WORDS = 64 };
enum { KNOWN = 1, VALUES = 2 }; /* as in libc/stdatomic/atomic_impl.h */

static const char mark[] = "divm.padding";

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

/* Sets the bits of each word that are padding; false: they are not known. */
static bool find_padding(struct loader *l, LLVMMetadataRef type, unsigned nwords,
                         uint64_t *padding)
{
    uint64_t values[MAX_WORDS] = {0}, size = type ? LLVMDITypeGetSizeInBits(type) : 0;
    if (!type || nwords > MAX_WORDS || !load_value_bits(l, type, 0, values, nwords * WORD))
        return false;
    for (uint64_t k = 0; k < nwords; k++) {
        uint64_t rest = size > k * WORD ? size - k * WORD : 0;
        uint64_t in = rest >= WORD ? ~0ull : (1ull << rest) - 1;
        padding[k] = in & ~values[k];
    }
    return true;
}

/* ---- instructions ---------------------------------------------------------------- */

static LLVMMetadataRef constant(LLVMTypeRef type, uint64_t value)
{
    return LLVMValueAsMetadata(LLVMConstInt(type, value, false));
}

static void mark_padding(struct loader *l, LLVMValueRef i, const uint64_t bits[2], int how)
{
    LLVMMetadataRef parts[] = {constant(word_type(l), bits[0]), constant(word_type(l), bits[1]),
                               constant(word_type(l), (unsigned)how)};
    LLVMMetadataRef node = LLVMMDNodeInContext2(l->context, parts, 3);
    LLVMSetMetadata(i, LLVMGetMDKindIDInContext(l->context, mark, sizeof mark - 1),
                    LLVMMetadataAsValue(l->context, node));
}

bool load_padding_of(struct loader *l, LLVMValueRef i, struct vm_padding *padding)
{
    LLVMValueRef parts[3],
        node = LLVMGetMetadata(i, LLVMGetMDKindIDInContext(l->context, mark, sizeof mark - 1));
    if (!node || LLVMGetMDNodeNumOperands(node) != 3)
        return false;
    LLVMGetMDNodeOperands(node, parts);
    for (unsigned k = 0; k < 3; k++)
        if (!parts[k] || !LLVMIsAConstantInt(parts[k]))
            return false; /* it is not ours */
    uint64_t how = LLVMConstIntGetZExtValue(parts[2]);
    memset(padding, 0, sizeof *padding);
    padding->bits[0] = LLVMConstIntGetZExtValue(parts[0]);
    padding->bits[1] = LLVMConstIntGetZExtValue(parts[1]);
    padding->known = how & KNOWN;
    padding->ignored = how & VALUES;
    return true;
}

/* ---- calls ----------------------------------------------------------------------- */

/* Makes a constant array of words. */
static LLVMValueRef array_of(struct loader *l, const uint64_t *bits, unsigned n)
{
    LLVMValueRef words[MAX_WORDS];
    for (unsigned k = 0; k < n; k++)
        words[k] = LLVMConstInt(word_type(l), bits[k], false);
    LLVMValueRef array = LLVMConstArray2(word_type(l), words, n);
    LLVMValueRef g = LLVMAddGlobal(l->module, LLVMTypeOf(array), "divm.padding");
    LLVMSetInitializer(g, array);
    LLVMSetGlobalConstant(g, true);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    return g;
}

/* _Bool __atomic_compare_padded(size_t, void *, void *, const void *, const uint64_t *, int,
 * int, int) */
static LLVMValueRef call_function(struct loader *l, LLVMBuilderRef b, LLVMValueRef arg[8])
{
    static const char name[] = "__atomic_compare_padded";
    LLVMTypeRef p = LLVMPointerTypeInContext(l->context, 0);
    LLVMTypeRef number = LLVMInt32TypeInContext(l->context);
    LLVMTypeRef types[] = {word_type(l), p, p, p, p, number, number, number};
    LLVMTypeRef type = LLVMFunctionType(LLVMInt1TypeInContext(l->context), types, 8, false);
    LLVMValueRef f = LLVMGetNamedFunction(l->module, name);
    return LLVMBuildCall2(b, type, f ? f : LLVMAddFunction(l->module, name, type), arg, 8, "");
}

static void replace(struct loader *l, const struct exchange *x, const uint64_t *bits, int how)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
    LLVMTypeRef p = LLVMPointerTypeInContext(l->context, 0);
    unsigned nwords = (unsigned)((x->size + 7) / 8);
    LLVMValueRef arg[8] = {LLVMConstInt(word_type(l), x->size, false), x->object,
                           LLVMGetOperand(x->i, 2), LLVMGetOperand(x->i, 3)};
    LLVMPositionBuilderBefore(b, x->i); /* and its place in the source */
    arg[4] = how & KNOWN ? array_of(l, bits, nwords) : LLVMConstNull(p);
    arg[5] = LLVMConstInt(LLVMInt32TypeInContext(l->context), (unsigned)how, false);
    arg[6] = LLVMGetOperand(x->i, 4); /* the orders */
    arg[7] = LLVMGetOperand(x->i, 5);
    LLVMReplaceAllUsesWith(x->i, call_function(l, b, arg));
    LLVMInstructionEraseFromParent(x->i);
    LLVMDisposeBuilder(b);
}

/* ---- all of them ----------------------------------------------------------------- */

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
    uint64_t bits[MAX_WORDS] = {0};
    bool known = find_padding(l, type, (unsigned)((x.size + 7) / 8), bits);
    int how = (known ? KNOWN : 0) | (known && cxx ? VALUES : 0);
    if (LLVMIsAAtomicCmpXchgInst(i))
        mark_padding(l, i, bits, how);
    else
        replace(l, &x, bits, how);
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
