/* load_asm.c - replaces the inline assembly whose text load_asm_text.c knows.
 *
 * Assembly without instructions, or with a hint, hides from the compiler where a value comes
 * from, or keeps it from moving accesses. Each result is the operand in the same place, so the
 * operand replaces it. A fence becomes LLVM's fence. Assembly and intrinsics that read the
 * processor's cycle counter become calls of a function of the kernel. The rest of inline
 * assembly is refused where it is executed. */
#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/prepare/load_asm_text.h"
#include "vm/load/prepare/load_prepare.h"

enum { MOST = 16 }; /* results */

struct result {
    LLVMValueRef at, value; /* at: where it is stored; NULL: it is a part of the call's value */
    const char *where;      /* the register: "{ax}" */
};

/* A cursor over constraints: "=r", "=*m", "={ax}", "0", "%0", "r", "{ax}", "~{memory}". */
struct constraints {
    struct result result[MOST];
    unsigned n, parts, arguments; /* parts: results that are the call's value */
};

static bool add_result(struct constraints *c, LLVMValueRef call, const char *constraint)
{
    const char *where = constraint + strspn(constraint, "=&");
    if (c->n == MOST)
        return false;
    c->result[c->n++] = (struct result){
        .at = *where == '*' ? LLVMGetOperand(call, c->arguments++) : NULL, .where = where};
    c->parts += *where != '*';
    return true;
}

static bool add_argument(struct constraints *c, LLVMValueRef call, const char *constraint)
{
    LLVMValueRef value = LLVMGetOperand(call, c->arguments++);
    constraint += *constraint == '%';
    size_t name = *constraint == '{' ? strcspn(constraint, "}") + 1 : 0;
    for (unsigned k = 0; k < c->n && name; k++)
        if (!strncmp(c->result[k].where, constraint, name))
            c->result[k].value = value;
    if (!isdigit((unsigned char)*constraint))
        return true;
    unsigned long k = strtoul(constraint, NULL, 10);
    if (k < c->n)
        c->result[k].value = value;
    return k < c->n;
}

static bool read_constraints(struct constraints *c, LLVMValueRef call)
{
    size_t n;
    const char *text = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &n);
    *c = (struct constraints){0};
    for (const char *end = text + n; text < end; text++) {
        bool good = *text == '~'   ? true
                    : *text == '=' ? add_result(c, call, text)
                                   : add_argument(c, call, text);
        if (!good)
            return false;
        while (text < end && *text != ',')
            text++;
    }
    return true;
}

static bool is_integer(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind;
}

/* Converts a value to the type of a result: a bool comes back as a byte. */
static LLVMValueRef converted(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef type)
{
    return LLVMTypeOf(value) == type ? value : LLVMBuildIntCast2(b, value, type, false, "");
}

/* Returns the type of one result, which is a part of the call's value. */
static LLVMTypeRef type_of_part(const struct constraints *c, LLVMTypeRef type, unsigned part)
{
    return c->parts == 1 ? type : LLVMStructGetTypeAtIndex(type, part);
}

static bool fits(const struct constraints *c, LLVMTypeRef type)
{
    unsigned part = 0;
    for (unsigned k = 0; k < c->n; k++) {
        LLVMValueRef value = c->result[k].value;
        if (c->result[k].at)
            continue;
        LLVMTypeRef wanted = type_of_part(c, type, part++);
        if (value && LLVMTypeOf(value) != wanted &&
            !(is_integer(LLVMTypeOf(value)) && is_integer(wanted)))
            return false;
    }
    return true;
}

/* Returns the value of a result.  Without an argument it is whatever a register holds. */
static LLVMValueRef result_of(const struct constraints *c, LLVMBuilderRef b, LLVMTypeRef type)
{
    LLVMValueRef all = LLVMGetUndef(type);
    unsigned part = 0;
    for (unsigned k = 0; k < c->n; k++) {
        LLVMValueRef value = c->result[k].value;
        if (c->result[k].at)
            continue;
        if (value)
            value = converted(b, value, type_of_part(c, type, part));
        if (value && c->parts == 1)
            return value;
        if (value)
            all = LLVMBuildInsertValue(b, all, value, part, "");
        part++;
    }
    return all;
}

/* ---- the counter of cycles: a function of the kernel ----------------------------- */

static LLVMValueRef cycles(struct loader *l, LLVMBuilderRef b, LLVMValueRef call)
{
    static const char name[] = "__os_cycles";
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
    LLVMTypeRef type = LLVMFunctionType(LLVMInt64TypeInContext(l->context), NULL, 0, false);
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    return LLVMBuildCall2(b, type, f ? f : LLVMAddFunction(module, name, type), NULL, 0, "");
}

/* Is this an intrinsic that gives the counter of cycles, alone or with the processor's
 * number? */
static bool reads_cycles(LLVMValueRef i)
{
    static const char *const names[] = {"llvm.x86.rdtsc", "llvm.x86.rdtscp",
                                        "llvm.readcyclecounter", "llvm.readsteadycounter"};
    const char *name = LLVMIsACallInst(i) ? LLVMGetValueName(LLVMGetCalledValue(i)) : "";
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(name, names[k]))
            return true;
    return false;
}

static LLVMValueRef value_of_intrinsic(struct loader *l, LLVMBuilderRef b, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef counter = cycles(l, b, call);
    if (is_integer(type))
        return counter;
    return LLVMBuildInsertValue(b, LLVMConstNull(type), counter, 0, "");
}

/* ---- inline assembly ------------------------------------------------------------- */

static enum load_asm kind_of(LLVMValueRef i)
{
    if (!LLVMIsACallInst(i) || !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
        return LOAD_ASM_OTHER;
    size_t n;
    const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &n);
    return load_asm_kind(text, n);
}

/* Returns what the instruction leaves in a register; NULL for results in memory or in other
 * registers, of which nothing is known. */
static LLVMValueRef left_in(const char *where, LLVMValueRef counter, LLVMBuilderRef b,
                            enum load_asm kind)
{
    LLVMTypeRef type = LLVMTypeOf(counter);
    LLVMValueRef half = LLVMConstInt(type, 32, false), zero = LLVMConstNull(type);
    LLVMValueRef low = LLVMConstInt(type, UINT32_MAX, false);
    bool halves = kind == LOAD_ASM_CYCLES_HALVES;
    if (kind == LOAD_ASM_FEATURES)
        return *where == '*' ? NULL : zero;
    if (!strncmp(where, "{ax}", 4))
        return halves ? LLVMBuildAnd(b, counter, low, "") : counter;
    if (halves && !strncmp(where, "{dx}", 4))
        return LLVMBuildLShr(b, counter, half, "");
    return halves && !strncmp(where, "{cx}", 4) ? zero : NULL;
}

static bool is_left(const struct constraints *c, LLVMTypeRef type, enum load_asm kind)
{
    unsigned part = 0;
    for (unsigned k = 0; k < c->n; k++)
        if (c->result[k].at || !is_integer(type_of_part(c, type, part++)) ||
            (kind != LOAD_ASM_FEATURES && strncmp(c->result[k].where, "{ax}", 4) &&
             (kind == LOAD_ASM_CYCLES || (strncmp(c->result[k].where, "{dx}", 4) &&
                                          strncmp(c->result[k].where, "{cx}", 4)))))
            return false;
    return true;
}

static void fill_results(struct loader *l, LLVMBuilderRef b, LLVMValueRef call,
                         struct constraints *c, enum load_asm kind)
{
    LLVMValueRef counter = kind == LOAD_ASM_FEATURES
                               ? LLVMConstNull(LLVMInt64TypeInContext(l->context))
                               : cycles(l, b, call);
    for (unsigned k = 0; k < c->n; k++)
        c->result[k].value = left_in(c->result[k].where, counter, b, kind);
}

static void build_light_fence(const struct loader *l, LLVMBuilderRef b)
{
    static const char name[] = "llvm.x86.sse2.lfence";
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(l->context), NULL, 0, false);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(
        l->module, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
    LLVMBuildCall2(b, type, f, NULL, 0, "");
}

/* Computes the value that takes the place of the call (NULL if it is void); false if nothing
 * can. */
static bool value_of_asm(struct loader *l, LLVMBuilderRef b, LLVMValueRef call,
                         LLVMValueRef *value)
{
    struct constraints c;
    LLVMTypeRef type = LLVMTypeOf(call);
    enum load_asm kind = kind_of(call);
    bool leaves = kind > LOAD_ASM_FENCE;
    if (!read_constraints(&c, call) || (leaves ? !is_left(&c, type, kind) : !fits(&c, type)))
        return false;
    if (leaves)
        fill_results(l, b, call, &c, kind);
    for (unsigned k = 0; k < c.n; k++)
        if (c.result[k].at && c.result[k].value)
            LLVMBuildStore(b, c.result[k].value, c.result[k].at);
    if (kind == LOAD_ASM_FENCE)
        LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
    if (kind == LOAD_ASM_LIGHT_FENCE)
        build_light_fence(l, b);
    *value = LLVMGetTypeKind(type) == LLVMVoidTypeKind ? NULL : result_of(&c, b, type);
    return true;
}

static void replace(struct loader *l, LLVMValueRef call)
{
    LLVMValueRef value = NULL;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    bool done = true;
    if (reads_cycles(call))
        value = value_of_intrinsic(l, b, call);
    else
        done = value_of_asm(l, b, call, &value);
    LLVMDisposeBuilder(b);
    if (value)
        LLVMReplaceAllUsesWith(call, value);
    if (done)
        LLVMInstructionEraseFromParent(call);
}

void load_asm(struct loader *l, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (reads_cycles(i) || kind_of(i) != LOAD_ASM_OTHER)
                    replace(l, i);
            }
}
