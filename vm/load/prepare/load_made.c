/* load_made.c - the types of allocations: what a call's result is used as, while local
 * variables are in memory.  clang says it of `new`.  What malloc and the like return has the
 * type that the variable, or the result, points to that it is given to.
 *
 * clang says it of `new`.  What malloc and the like give is of the type that the variable, or
 * the result, points to that it is given to. */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "load_layout.h"
#include "load_made.h"
#include "vm/load/load.h"
#include "vm/load/load_debug.h"

static const char of_new[] = "heapallocsite", ours[] = "divm.made";

/* Returns the struct that the function's result points to, or NULL. */
static LLVMMetadataRef of_result(struct loader *l, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    LLVMMetadataRef signature = subprogram ? load_operand(l, subprogram, 4) : NULL;
    LLVMMetadataRef types = signature ? load_operand(l, signature, 3) : NULL;
    LLVMMetadataRef result = types ? load_operand(l, types, 0) : NULL;
    return result ? load_pointee(l, result) : NULL;
}

/* Returns the struct that the pointer at an address points to, or NULL. */
static LLVMMetadataRef of_place(struct load_declared *d, LLVMValueRef address)
{
    enum { POINTER = 8 };
    LLVMMetadataRef type = load_type_at(d, address, POINTER);
    return type ? load_pointee(d->l, type) : NULL;
}

static bool is_struct(LLVMMetadataRef type)
{
    return type &&
           (LLVMGetDINodeTag(type) == TAG_STRUCT || LLVMGetDINodeTag(type) == TAG_CLASS);
}

static const char *name_of_place(struct load_declared *d, LLVMValueRef address)
{
    if (LLVMIsAGlobalVariable(address))
        return load_global_name(d->l, address);
    LLVMMetadataRef variable = load_declared_variable(d, address);
    return variable ? load_md_string(d->l, load_operand(d->l, variable, 1)) : NULL;
}

static void set_made(struct loader *l, LLVMValueRef call, LLVMMetadataRef type,
                     const char *name)
{
    LLVMMetadataRef node[2] = {type, LLVMMDStringInContext2(l->context, name, strlen(name))};
    LLVMMetadataRef both = LLVMMDNodeInContext2(l->context, node, 2);
    LLVMSetMetadata(call, LLVMGetMDKindIDInContext(l->context, ours, sizeof ours - 1),
                    LLVMMetadataAsValue(l->context, both));
}

static void note_call(struct load_declared *d, LLVMValueRef function, LLVMValueRef call)
{
    for (LLVMUseRef u = LLVMGetFirstUse(call); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMMetadataRef type = NULL;
        const char *name = NULL;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == call) {
            type = of_place(d, LLVMGetOperand(user, 1));
            name = name_of_place(d, LLVMGetOperand(user, 1));
            if (!type && LLVMIsAAllocaInst(LLVMGetOperand(user, 1)))
                type = of_result(d->l, function);
        } else if (LLVMIsAReturnInst(user)) {
            type = of_result(d->l, function);
        }
        if (type && (is_struct(type) || name)) {
            set_made(d->l, call, type, name ? name : "");
            return;
        }
    }
}

void load_note_made(struct loader *l, LLVMValueRef function)
{
    struct load_declared d;
    unsigned kind = LLVMGetMDKindIDInContext(l->context, of_new, sizeof of_new - 1);
    load_declared_init(&d, l, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) &&
                LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind &&
                !LLVMGetMetadata(i, kind))
                note_call(&d, function, i);
    load_declared_fini(&d);
}

static struct vm_variable made_as(struct loader *l, LLVMMetadataRef type, const char *name)
{
    return load_is_of_framework(l, type) ? (struct vm_variable){NULL, NULL}
                                         : (struct vm_variable){name, load_type(l, type)};
}

struct vm_variable load_made(struct loader *l, LLVMValueRef call)
{
    LLVMValueRef site =
        LLVMGetMetadata(call, LLVMGetMDKindIDInContext(l->context, of_new, sizeof of_new - 1));
    if (site)
        return made_as(l, LLVMValueAsMetadata(site), NULL);
    LLVMValueRef made =
        LLVMGetMetadata(call, LLVMGetMDKindIDInContext(l->context, ours, sizeof ours - 1));
    if (!made)
        return (struct vm_variable){NULL, NULL};
    LLVMMetadataRef node = LLVMValueAsMetadata(made);
    return made_as(l, load_operand(l, node, 0), load_md_string(l, load_operand(l, node, 1)));
}
