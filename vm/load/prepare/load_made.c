/* load_made.c - what a call's result is used as, while local variables are in memory: the types
 * of allocations, and the variables that get what divm chooses.
 *
 * clang says the type of `new`.  What malloc and the like give is of the type that the
 * variable, or the result, points to that it is given to. */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "load_layout.h"
#include "load_made.h"
#include "vm/load/load.h"
#include "vm/load/load_debug.h"

enum { MAX_NAME = 256 };

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
        char name[MAX_NAME] = "";
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == call) {
            type = of_place(d, LLVMGetOperand(user, 1));
            if (!load_place_name(d, LLVMGetOperand(user, 1), name, sizeof name))
                *name = 0;
            if (!type && LLVMIsAAllocaInst(LLVMGetOperand(user, 1)))
                type = of_result(d->l, function);
        } else if (LLVMIsAReturnInst(user)) {
            type = of_result(d->l, function);
        }
        if (type && (is_struct(type) || *name)) {
            set_made(d->l, call, type, name);
            return;
        }
    }
}

/* Is it a call by which the program has divm choose a number? */
static bool is_choice(LLVMValueRef call)
{
    static const char nondet[] = "__VERIFIER_nondet_";
    LLVMValueRef f = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(f) ? LLVMGetValueName(f) : "";
    return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMIntegerTypeKind &&
           (!strcmp(name, "divm_choose") || !strncmp(name, nondet, sizeof nondet - 1));
}

/* Returns the store that puts the value, or what it is converted to, somewhere; NULL: there is
 * more than one use, or another one. */
static LLVMValueRef store_of(LLVMValueRef value)
{
    for (;;) {
        LLVMUseRef use = LLVMGetFirstUse(value);
        LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
        if (user && LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value)
            return user;
        bool to_bool = user && LLVMIsAICmpInst(user) &&
                       LLVMGetICmpPredicate(user) == LLVMIntNE &&
                       LLVMIsNull(LLVMGetOperand(user, 1));
        if (!user || !(LLVMIsACastInst(user) || to_bool))
            return NULL;
        value = user;
    }
}

/* Notes the variable that gets what is chosen. */
static void note_choice(struct load_declared *d, LLVMValueRef call)
{
    LLVMValueRef store = store_of(call);
    if (!store)
        return;
    LLVMTypeRef stored = LLVMTypeOf(LLVMGetOperand(store, 0));
    LLVMMetadataRef type =
        load_type_at(d, LLVMGetOperand(store, 1), LLVMStoreSizeOfType(d->l->layout, stored));
    char name[MAX_NAME];
    if (type && load_place_name(d, LLVMGetOperand(store, 1), name, sizeof name))
        set_made(d->l, call, type, name);
}

void load_note_made(struct loader *l, LLVMValueRef function)
{
    struct load_declared d;
    unsigned kind = LLVMGetMDKindIDInContext(l->context, of_new, sizeof of_new - 1);
    load_declared_init(&d, l, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) {
                if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind &&
                    !LLVMGetMetadata(i, kind))
                    note_call(&d, function, i);
                else if (is_choice(i))
                    note_choice(&d, i);
            }
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
