/* load_monitor.c - what a monitor (vm_watch.monitor) reads, and that it changes nothing but
 * variables of its own: those that no function uses which it does not call.
 *
 * Whatever it reads is visible, as with other queries.  Where it follows pointers that may be
 * any object of the program; through those it may not write. */
#include <stdlib.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/table.h"

struct monitor {
    struct loader *l;
    struct list functions; /* LLVMValueRef: the monitor's, and those that it calls */
    struct list reads;     /* LLVMValueRef: variables */
    bool pointers;         /* it reads by pointers, too */
};

static bool has(const struct list *list, LLVMValueRef value)
{
    const LLVMValueRef *at = list->data;
    for (size_t k = 0; k < list->n; k++)
        if (at[k] == value)
            return true;
    return false;
}

static void add(struct list *list, LLVMValueRef value)
{
    if (!has(list, value))
        list_push(list, &value);
}

/* Refuses the monitor: always false; at: an instruction of it, or NULL. */
static bool refuse(const struct monitor *m, LLVMValueRef at, const char *does, const char *name)
{
    struct loader *l = m->l;
    uint32_t place = at ? load_location(l, at) : 0;
    const struct vm_loc *loc = &((const struct vm_loc *)l->locs.data)[place];
    if (*loc->file)
        return load_fail(l, "--monitor=%s: %s:%u: %s%s", l->load->watch->monitor, loc->file,
                         loc->line, does, name);
    return load_fail(l, "--monitor=%s: %s%s", l->load->watch->monitor, does, name);
}

/* ---- accesses ------------------------------------------------------------------------------
 */

static bool is_part(LLVMValueRef p)
{
    return LLVMIsAGetElementPtrInst(p) ||
           (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr);
}

/* Finds the variable that an address is in; NULL: it is not known. */
static LLVMValueRef variable_of(LLVMValueRef p)
{
    while (is_part(p))
        p = LLVMGetOperand(p, 0);
    return LLVMIsAAllocaInst(p) || LLVMIsAGlobalVariable(p) ? p : NULL;
}

static void read_at(struct monitor *m, LLVMValueRef p)
{
    LLVMValueRef variable = variable_of(p);
    m->pointers |=
        !variable || (LLVMIsAGlobalVariable(variable) && LLVMIsThreadLocal(variable));
    if (variable && LLVMIsAGlobalVariable(variable) && !LLVMIsGlobalConstant(variable))
        add(&m->reads, variable);
}

/* Does nothing but the monitor use the variable? */
static bool is_own(const struct monitor *m, LLVMValueRef variable)
{
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool own =
            LLVMIsAInstruction(user)
                ? has(&m->functions, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))
                : LLVMIsAConstantExpr(user) && is_own(m, user);
        if (!own)
            return false;
    }
    return true;
}

static bool write_at(const struct monitor *m, LLVMValueRef i, LLVMValueRef p)
{
    LLVMValueRef variable = variable_of(p);
    if (!variable)
        return refuse(m, i, "a monitor writes only variables of its own, and by their names",
                      "");
    if (LLVMIsAAllocaInst(variable) || is_own(m, variable))
        return true;
    return refuse(m, i, "a monitor writes only variables of its own, but the program uses ",
                  load_global_name(m->l, variable));
}

/* ---- calls ---------------------------------------------------------------------------------
 */

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(name, *list))
            return true;
    return false;
}

static bool is_memory(const char *name)
{
    return !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13) ||
           !strncmp(name, "llvm.memset.", 12);
}

static bool may_call(const char *name)
{
    static const char *const all[] = {"divm_accept",   "divm_choose", "divm_assume",
                                      "__assert_fail", "abort",       NULL};
    return is_one_of(name, all) || !strncmp(name, "llvm.dbg.", 9) ||
           !strncmp(name, "llvm.lifetime.", 14) || !strncmp(name, "llvm.threadlocal.", 17);
}

static bool passes_pointer(LLVMValueRef call)
{
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, k))) == LLVMPointerTypeKind)
            return true;
    return false;
}

static bool see_call(struct monitor *m, LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(f))
        return refuse(m, call, "a monitor calls functions only by their names", "");
    const char *name = LLVMGetValueName(f);
    if (is_memory(name)) {
        if (strncmp(name, "llvm.memset.", 12) != 0)
            read_at(m, LLVMGetOperand(call, 1));
        return write_at(m, call, LLVMGetOperand(call, 0));
    }
    if (may_call(name) || (LLVMGetIntrinsicID(f) && !passes_pointer(call)))
        return true;
    if (LLVMIsDeclaration(f))
        return refuse(m, call, "a monitor calls no library, but this one calls ",
                      load_function_name(m->l, f));
    add(&m->functions, f);
    return true;
}

static bool see(struct monitor *m, LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: read_at(m, LLVMGetOperand(i, 0)); return true;
    case LLVMCall:
    case LLVMInvoke: return see_call(m, i);
    case LLVMCallBr:
    case LLVMVAArg: return refuse(m, i, "this is nothing that a monitor may do", "");
    default: return true;
    }
}

/* Checks a write, once all of the monitor's functions are known. */
static bool see_write(struct monitor *m, LLVMValueRef i)
{
    if (LLVMIsAStoreInst(i))
        return write_at(m, i, LLVMGetOperand(i, 1));
    if (!LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i))
        return true;
    read_at(m, LLVMGetOperand(i, 0));
    return write_at(m, i, LLVMGetOperand(i, 0));
}

static bool see_all(struct monitor *m, bool (*look)(struct monitor *m, LLVMValueRef i))
{
    for (size_t k = 0; k < m->functions.n; k++) {
        LLVMValueRef f = ((LLVMValueRef *)m->functions.data)[k];
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (!look(m, i))
                    return false;
    }
    return true;
}

bool load_monitor(struct loader *l)
{
    const char *name = l->load->watch ? l->load->watch->monitor : NULL;
    struct monitor m = {
        .l = l, .functions.item = sizeof(LLVMValueRef), .reads.item = sizeof(LLVMValueRef)};
    if (!name)
        return true;
    LLVMValueRef f = LLVMGetNamedFunction(l->module, name);
    if (!f || LLVMIsDeclaration(f))
        return refuse(&m, NULL, "there is no function of this name", "");
    if (LLVMCountParams(f) ||
        LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(f))) != LLVMVoidTypeKind)
        return refuse(&m, NULL, "a monitor takes nothing and returns nothing", "");
    add(&m.functions, f);
    bool good = see_all(&m, see) && see_all(&m, see_write);
    l->monitored = m.reads;
    l->program->monitor_follows = m.pointers;
    free(m.functions.data);
    return good;
}
