/* load_asm.c - inline assembly without instructions: it hides from compilers where a value
 * comes from, or keeps them from moving accesses.  What it gives back is what it is given in
 * the same place, so it is replaced by that; the rest of inline assembly is refused where it is
 * executed. */
#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

enum { MOST = 16 }; /* results */

struct result {
    LLVMValueRef at, value; /* at: where it is stored; NULL: it is a part of the call's value */
    const char *where;      /* the register: "{ax}" */
};

/* One constraint after the other: "=r", "=*m", "={ax}", "0", "%0", "r", "{ax}", "~{memory}". */
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

/* A bool comes back as a byte. */
static LLVMValueRef converted(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef type)
{
    return LLVMTypeOf(value) == type ? value : LLVMBuildIntCast2(b, value, type, false, "");
}

/* Of the call's value, the part that is this result. */
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

/* A result without an argument is whatever a register holds. */
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

static bool is_empty(LLVMValueRef i)
{
    size_t n = 1;
    if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
        LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &n);
    return n == 0;
}

static void replace(struct loader *l, LLVMValueRef call)
{
    struct constraints c;
    LLVMTypeRef type = LLVMTypeOf(call);
    if (!read_constraints(&c, call) || !fits(&c, type))
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    for (unsigned k = 0; k < c.n; k++)
        if (c.result[k].at && c.result[k].value)
            LLVMBuildStore(b, c.result[k].value, c.result[k].at);
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, result_of(&c, b, type));
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(call);
}

void load_empty_asm(struct loader *l, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_empty(i))
                    replace(l, i);
            }
}
