/* load_watch.c - places where a thread stops for queries (struct vm_watch).
 *
 * A mark is a call of __divm_interrupt_mem with VM_ACT_OBSERVE, which is no action: the
 * transition ends before it.  Marks stand where something that queries see changes and that is
 * no access to memory: where a thread comes to a line and leaves it, where a function begins
 * and is left, and before calls of libraries that may write what is asked for.  The local
 * variables of a function that is asked for stay in memory.
 *
 * Two marks stand at the beginning of a function: at the first the thread is not there yet, the
 * second (VM_OBSERVE_ENTRY) is what call(f) means. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/prepare/load_scope.h"
#include "vm/load/table.h"

struct watcher {
    struct loader *l;
    const struct vm_watch *watch;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    bool unwinds;  /* some function of the module has landing pads */
    bool pointers; /* what is read may be anywhere */
    bool escapes;  /* a library may come to it by a pointer that it is given */
    /* Of the present function: */
    LLVMValueRef function;
    bool queried, placed, ends;
};

static bool is_enum_set(LLVMValueRef f, LLVMAttributeIndex at, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(f, at, kind);
}

static bool is_named(const struct vm_names_list *list, const char *name)
{
    for (size_t k = 0; k < list->n; k++)
        if (!strcmp(list->at[k], name))
            return true;
    return false;
}

/* Is the function named in the list?  "push" and "Queue::push" name Queue::push. */
static bool is_function_named(const struct vm_names_list *list, const char *name)
{
    for (;;) {
        if (is_named(list, name))
            return true;
        const char *next = strstr(name, "::");
        if (!next)
            return false;
        name = next + 2;
    }
}

/* ---- marks ----------------------------------------------------------------------- */

static LLVMValueRef interrupt(const struct watcher *w, LLVMTypeRef *type)
{
    static const char name[] = "__divm_interrupt_mem";
    LLVMContextRef context = w->l->context;
    LLVMTypeRef parameters[] = {LLVMPointerTypeInContext(context, 0),
                                LLVMInt64TypeInContext(context),
                                LLVMInt32TypeInContext(context)};
    *type = LLVMFunctionType(LLVMVoidTypeInContext(context), parameters, 3, false);
    LLVMValueRef f = LLVMGetNamedFunction(w->module, name);
    return f ? f : LLVMAddFunction(w->module, name, *type);
}

/* Puts a mark before an instruction, with the place of `at`. */
static void mark(const struct watcher *w, LLVMValueRef before, LLVMValueRef at, unsigned what)
{
    LLVMTypeRef type;
    LLVMValueRef f = interrupt(w, &type);
    LLVMContextRef context = w->l->context;
    LLVMValueRef arguments[] = {
        LLVMConstNull(LLVMPointerTypeInContext(context, 0)),
        LLVMConstInt(LLVMInt64TypeInContext(context), what, false),
        LLVMConstInt(LLVMInt32TypeInContext(context), VM_ACT_OBSERVE, false)};
    LLVMPositionBuilderBefore(w->builder, before);
    LLVMValueRef call = LLVMBuildCall2(w->builder, type, f, arguments, 3, "");
    if (at && LLVMInstructionGetDebugLoc(at))
        LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(at));
}

/* ---- lines ----------------------------------------------------------------------- */

/* Returns the line of an instruction; one without a line is where its function is, as in
 * load_debug.c. */
static unsigned line_of(const struct watcher *w, LLVMValueRef i, const char **file)
{
    LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(i);
    if (!loc)
        return 0;
    LLVMMetadataRef scope = LLVMDILocationGetScope(loc);
    unsigned line = LLVMDILocationGetLine(loc);
    *file = load_scope_file(w->l, scope);
    return line ? line : load_scope_line(w->l, scope);
}

static bool is_tail(const char *path, const char *file, size_t n)
{
    size_t length = strlen(path);
    return length >= n && !strncmp(path + length - n, file, n) &&
           (length == n || path[length - n - 1] == '/');
}

/* Is the line one of the places, the k-th one? */
static bool is_place(const struct watcher *w, size_t k, const char *file, unsigned line)
{
    const char *place = w->watch->places.at[k], *colon = strrchr(place, ':');
    return line && colon && strtoul(colon + 1, NULL, 10) == line &&
           is_tail(file, place, (size_t)(colon - place));
}

static bool is_in_place(const struct watcher *w, LLVMValueRef i)
{
    const char *file = "";
    unsigned line = line_of(w, i, &file);
    for (size_t k = 0; k < w->watch->places.n; k++)
        if (is_place(w, k, file, line))
            return true;
    return false;
}

/* Does a thread come to a place, or leave one?  It may do both: places can be lines next to
 * each other. */
static bool crosses(const struct watcher *w, LLVMValueRef from, LLVMValueRef to)
{
    const char *from_file = "", *to_file = "";
    unsigned from_line = line_of(w, from, &from_file), to_line = line_of(w, to, &to_file);
    for (size_t k = 0; k < w->watch->places.n; k++)
        if (is_place(w, k, from_file, from_line) != is_place(w, k, to_file, to_line))
            return true;
    return false;
}

static LLVMValueRef behind_phis(LLVMValueRef i)
{
    while (i && (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i)))
        i = LLVMGetNextInstruction(i);
    return i;
}

static bool leaves_block(const struct watcher *w, LLVMValueRef end)
{
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
        LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetSuccessor(end, k));
        if (crosses(w, end, behind_phis(first)))
            return true;
    }
    return false;
}

static bool is_call(LLVMValueRef i)
{
    return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
}

/* Marks where a thread's place changes: before the instruction that takes it to another line;
 * behind a call, which does so when it returns. */
static void mark_lines(const struct watcher *w, LLVMBasicBlockRef b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b), next;
    LLVMValueRef first = behind_phis(LLVMGetFirstInstruction(b));
    if (b == LLVMGetEntryBasicBlock(w->function) && is_in_place(w, first))
        mark(w, first, NULL, VM_OBSERVE_PLACE);
    for (LLVMValueRef i = first; i && i != end; i = next) {
        next = LLVMGetNextInstruction(i);
        if (crosses(w, i, next))
            mark(w, is_call(i) ? next : i, i, VM_OBSERVE_PLACE);
    }
    if (leaves_block(w, end))
        mark(w, end, end, VM_OBSERVE_PLACE);
}

/* ---- calls, and what ends -------------------------------------------------------- */

/* May the call leave functions without returning to them? */
static bool may_unwind(const struct watcher *w, LLVMValueRef call, LLVMValueRef f, bool own)
{
    LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned noreturn = LLVMGetEnumAttributeKindForName("noreturn", 8);
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    if (LLVMGetCallSiteEnumAttribute(call, whole, noreturn) ||
        (f && is_enum_set(f, whole, "noreturn")))
        return true;
    return w->unwinds && !own && !LLVMGetCallSiteEnumAttribute(call, whole, nounwind) &&
           !(f && is_enum_set(f, whole, "nounwind"));
}

static bool passes_pointer(LLVMValueRef call)
{
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, k))) == LLVMPointerTypeKind &&
            !LLVMIsNull(LLVMGetOperand(call, k)))
            return true;
    return false;
}

static bool needs_mark(const struct watcher *w, LLVMValueRef i)
{
    if (LLVMIsAReturnInst(i) || LLVMIsAResumeInst(i) || load_mark(i))
        return w->ends && !(LLVMIsAReturnInst(i) && !w->queried && !w->placed && !w->pointers);
    if (!is_call(i))
        return false;
    LLVMValueRef f = LLVMGetCalledValue(i);
    f = LLVMIsAFunction(f) ? f : NULL;
    if (f && (LLVMGetIntrinsicID(f) || !strncmp(LLVMGetValueName(f), "__divm_", 7)))
        return false;
    bool own = f && !LLVMIsDeclaration(f) && !load_is_header(w->l, f);
    if ((w->watch->frames || w->pointers) && may_unwind(w, i, f, own))
        return true;
    return (w->pointers || w->escapes) && !own && passes_pointer(i);
}

static void mark_instructions(const struct watcher *w, LLVMBasicBlockRef b)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (needs_mark(w, i))
            mark(w, i, i, VM_OBSERVE_PLACE);
}

static void mark_entry(const struct watcher *w)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function)), at = i;
    while (at && !LLVMInstructionGetDebugLoc(at))
        at = LLVMGetNextInstruction(at);
    mark(w, i, at, VM_OBSERVE_PLACE);
    mark(w, i, at, VM_OBSERVE_ENTRY);
}

static bool has_place(const struct watcher *w)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_in_place(w, i))
                return true;
    return false;
}

/* Keeps the function's local variables: mem2reg leaves it alone, and load_registers keeps what
 * points to its variables. */
static void keep_variables(const struct watcher *w)
{
    static const char *const names[] = {"optnone", "noinline"};
    LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (size_t k = 0; k < 2; k++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[k], strlen(names[k]));
        LLVMAddAttributeAtIndex(w->function, whole,
                                LLVMCreateEnumAttribute(w->l->context, kind, 0));
    }
    LLVMAddAttributeAtIndex(
        w->function, whole,
        LLVMCreateStringAttribute(w->l->context, LOAD_QUERIED, sizeof LOAD_QUERIED - 1, "", 0));
}

static void watch_function(struct watcher *w, LLVMValueRef f)
{
    w->function = f;
    w->queried = is_function_named(&w->watch->functions, load_function_name(w->l, f));
    w->placed = w->watch->places.n && has_place(w);
    w->ends = w->queried || w->placed || w->pointers;
    if (w->queried)
        load_watch_values(w->l, w->watch, f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        if (w->placed)
            mark_lines(w, b);
        mark_instructions(w, b);
    }
    if (w->queried)
        mark_entry(w);
    if (w->queried)
        keep_variables(w);
}

/* ---- what libraries can come to -------------------------------------------------- */

/* Is an address used for anything else than an access there? */
static bool is_address_used(LLVMValueRef p)
{
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool part =
            LLVMIsAGetElementPtrInst(user) ||
            (LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr);
        bool accesses = LLVMIsALoadInst(user) || LLVMIsAAtomicCmpXchgInst(user) ||
                        LLVMIsAAtomicRMWInst(user) ||
                        (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != p);
        if (part ? is_address_used(user) : !accesses)
            return true;
    }
    return false;
}

static const char *last_part(const char *name)
{
    const char *last = name;
    for (const char *at = name; *at; at++)
        if (*at == '.' || (*at == ':' && at[1] == ':'))
            last = at + (*at == '.' ? 1 : 2);
    return last;
}

static void look_at_globals(struct watcher *w)
{
    const LLVMValueRef *monitored = w->l->monitored.data;
    for (size_t k = 0; k < w->l->monitored.n; k++)
        w->escapes |= is_address_used(monitored[k]);
    for (LLVMValueRef g = LLVMGetFirstGlobal(w->module); g; g = LLVMGetNextGlobal(g)) {
        const char *name = last_part(load_global_name(w->l, g));
        if (LLVMIsDeclaration(g) || !is_named(&w->watch->variables, name))
            continue;
        w->escapes |= is_address_used(g);
        w->pointers |= LLVMIsThreadLocal(g); /* there are as many as threads */
        w->pointers |= is_named(&w->watch->arrays, name) &&
                       LLVMGetTypeKind(LLVMGlobalGetValueType(g)) != LLVMArrayTypeKind;
    }
}

static void look_at_locals(struct watcher *w, LLVMValueRef f)
{
    if (!is_function_named(&w->watch->functions, load_function_name(w->l, f)))
        return;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        w->escapes |= LLVMIsAAllocaInst(i) && is_address_used(i);
}

static bool is_own(struct loader *l, LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) && load_is_user(l, f) && !load_is_header(l, f);
}

/* Keeps enumerators that queries may ask for although no variable has their type, as types of
 * variables without names. */
static void keep_enums(struct loader *l, LLVMModuleRef module)
{
    enum { ENUMS = 4 }; /* the operand of a compile unit */
    static const char units[] = "llvm.dbg.cu";
    unsigned n = LLVMGetNamedMetadataNumOperands(module, units);
    LLVMValueRef *unit = calloc(n + 1, sizeof *unit);
    if (!unit)
        return;
    LLVMGetNamedMetadataOperands(module, units, unit);
    for (unsigned k = 0; k < n; k++) {
        LLVMMetadataRef list = load_operand(l, LLVMValueAsMetadata(unit[k]), ENUMS),
                        enumeration;
        for (unsigned i = 0; list && (enumeration = load_operand(l, list, i)); i++) {
            struct vm_variable none = {NULL, load_type(l, enumeration)};
            list_push(&l->variables, &none);
        }
    }
    free(unit);
}

void load_watch(struct loader *l, LLVMModuleRef module)
{
    struct watcher w = {.l = l, .watch = l->load->watch, .module = module};
    if (!w.watch)
        return;
    w.builder = LLVMCreateBuilderInContext(l->context);
    w.pointers = w.watch->pointers || l->program->monitor_follows;
    keep_enums(l, module);
    look_at_globals(&w);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            w.unwinds |= LLVMHasPersonalityFn(f);
        if (is_own(l, f))
            look_at_locals(&w, f);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_own(l, f))
            watch_function(&w, f);
    LLVMDisposeBuilder(w.builder);
}
