/* load_watch_values.c - registers of LLVM's that a query asks for by their names ("%x", "%3").
 *
 * Each becomes a local variable of that name, which is set behind the instruction that gives
 * the register its value: so it is read, and its changes are seen, as those of any other
 * variable.  Arguments are set where the function begins.  An invoke has its value where the
 * call comes back to, if nothing else comes there. */
#include <stdlib.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/prepare/load_prepare.h"

enum { NAME = 256 };

/* Writes the name of a value as LLVM has it: "%x", or the number that it has in the function as
 * it is.  Empty if it has none. */
static void name_of(LLVMValueRef value, char name[NAME])
{
    size_t length = 0;
    char *text = LLVMPrintValueToString(value);
    const char *at = text + strspn(text, " "), *end;
    if (LLVMIsAArgument(value)) /* "i32 noundef %x" */
        at = strrchr(at, '%') ? strrchr(at, '%') : "";
    end = at + strcspn(at, " \n");
    bool defined = LLVMIsAArgument(value) || !strncmp(end, " = ", 3);
    if (*at == '%' && defined && end - at < NAME)
        length = (size_t)(end - at);
    memcpy(name, at, length);
    name[length] = 0;
    LLVMDisposeMessage(text);
}

static bool is_asked_for(const struct vm_watch *watch, const char *name)
{
    for (size_t k = 0; *name && k < watch->variables.n; k++)
        if (!strcmp(watch->variables.at[k], name))
            return true;
    return false;
}

static bool has_such_type(LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 64) ||
           kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
           kind == LLVMPointerTypeKind;
}

/* Returns the type of a register's variable in memory: whole bytes. */
static LLVMTypeRef type_in_memory(LLVMContextRef context, LLVMTypeRef t)
{
    unsigned bits = 8;
    if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind)
        return t;
    while (bits < LLVMGetIntTypeWidth(t))
        bits *= 2;
    return LLVMIntTypeInContext(context, bits);
}

/* Returns the place where the value has been computed; NULL if that place is reached on other
 * edges, too. */
static LLVMValueRef place_behind(LLVMValueRef f, LLVMValueRef value)
{
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    if (LLVMIsAInvokeInst(value)) {
        LLVMBasicBlockRef next = LLVMGetNormalDest(value);
        LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(next));
        at = use && !LLVMGetNextUse(use) ? LLVMGetFirstInstruction(next) : NULL;
    } else if (!LLVMIsAArgument(value)) {
        at = LLVMGetNextInstruction(value);
    }
    while (at && (LLVMIsAPHINode(at) || LLVMIsALandingPadInst(at) || LLVMIsAAllocaInst(at)))
        at = LLVMGetNextInstruction(at);
    return at;
}

static void keep(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef f,
                 LLVMValueRef value, const char *name)
{
    LLVMTypeRef t = LLVMTypeOf(value);
    LLVMTypeRef whole = type_in_memory(context, t);
    LLVMValueRef behind = place_behind(f, value);
    if (!behind)
        return;
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMValueRef variable = LLVMBuildAlloca(builder, whole, name);
    LLVMPositionBuilderBefore(builder, behind);
    bool flag = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 1;
    if (whole != t)
        value = flag ? LLVMBuildZExt(builder, value, whole, "")
                     : LLVMBuildSExt(builder, value, whole, "");
    LLVMBuildStore(builder, value, variable);
}

struct named {
    LLVMValueRef value;
    char name[NAME];
};

static void add(struct list *found, const struct vm_watch *watch, LLVMValueRef value)
{
    struct named named = {.value = value};
    if (!has_such_type(LLVMTypeOf(value)))
        return;
    name_of(value, named.name);
    if (is_asked_for(watch, named.name))
        list_push(found, &named);
}

static bool asks_for_some(const struct vm_watch *watch)
{
    for (size_t k = 0; k < watch->variables.n; k++)
        if (*watch->variables.at[k] == '%')
            return true;
    return false;
}

void load_watch_values(struct loader *l, const struct vm_watch *watch, LLVMValueRef f)
{
    struct list found = {.item = sizeof(struct named)};
    if (!asks_for_some(watch))
        return;
    for (LLVMValueRef a = LLVMGetFirstParam(f); a; a = LLVMGetNextParam(a))
        add(&found, watch, a);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            add(&found, watch, i);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(l->context);
    struct named *named = found.data;
    for (size_t k = 0; k < found.n; k++)
        keep(l->context, builder, f, named[k].value, named[k].name);
    LLVMDisposeBuilder(builder);
    free(found.data);
}
