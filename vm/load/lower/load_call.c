/* load_call.c - calls, intrinsics and hypercalls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_flow.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lower/load_memory.h"
#include "vm/load/lower/load_wide.h"
#include "vm/load/lowering.h"
#include "vm/load/prepare/load_made.h"
#include "vm/load/table.h"

static LLVMValueRef arg(LLVMValueRef call, unsigned k)
{
    return LLVMGetOperand(call, k);
}

static LLVMTypeRef without_more(LLVMTypeRef t)
{
    unsigned n = LLVMCountParamTypes(t);
    LLVMTypeRef *params = vm_alloc(n * sizeof *params);
    LLVMGetParamTypes(t, params);
    LLVMTypeRef fixed = LLVMFunctionType(LLVMGetReturnType(t), params, n, false);
    free(params);
    return fixed;
}

uint32_t load_signature(struct loader *l, LLVMTypeRef t)
{
    char *text = LLVMPrintTypeToString(t);
    const void *key = (const void *)(uintptr_t)(XXH3_64bits(text, strlen(text)) | 1);
    uint32_t i = map_get(&l->types, key);
    if (!i) {
        struct vm_signature s = {.text = load_string(l, text, strlen(text))};
        s.unprototyped = LLVMIsFunctionVarArg(t) && LLVMCountParamTypes(t) == 0;
        s.nret = load_type_regs(l, LLVMGetReturnType(t));
        s.nparams = LLVMCountParamTypes(t);
        LLVMTypeRef *params = load_alloc(l, (s.nparams + 1) * sizeof *params);
        LLVMGetParamTypes(t, params);
        s.params = (const void *const *)params;
        s.result = LLVMGetReturnType(t);
        if (LLVMIsFunctionVarArg(t) &&
            !s.unprototyped) /* perhaps it has no prototype, either */
            s.fixed = load_signature(l, without_more(t)) + 1;
        list_push(&l->signatures, &s);
        i = (uint32_t)l->signatures.n;
        map_put(&l->types, key, i);
    }
    LLVMDisposeMessage(text);
    return i - 1;
}

/* ---- calls ----------------------------------------------------------------------- */

struct arguments {
    struct list regs;    /* struct vm_arg */
    struct list noundef; /* uint32_t: fixed registers that must be defined */
    uint32_t nfixed, nbyval;
};

static void add_registers(struct lowering *w, struct arguments *a, LLVMValueRef v)
{
    uint32_t n = load_type_regs(w->l, LLVMTypeOf(v));
    bool local = LLVMIsAInstruction(v) || LLVMIsAArgument(v);
    struct vm_const c;
    bool known = !local;
    for (uint32_t k = 0; k < n && known; k++)
        known = load_const_reg(w->l, v, k, &c);
    uint32_t first = known ? 0 : lower_use(w, v);
    for (uint32_t k = 0; k < n; k++) {
        struct vm_arg x = {first + k};
        if (known) {
            load_const_reg(w->l, v, k, &c);
            x.src = load_value(w->l, c) | VM_ARG_CONST;
        }
        list_push(&a->regs, &x);
    }
}

static LLVMValueRef callee_of(LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    while (LLVMIsAGlobalAlias(f))
        f = LLVMAliasGetAliasee(f);
    return f;
}

/* Passes an argument as a copy of what it points to; false if it is not a byval argument. */
static bool add_byval(struct lowering *w, struct arguments *a, LLVMValueRef call, unsigned k)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, k + 1, kind);
    if (!attribute)
        return false;
    uint64_t size = LLVMABISizeOfType(w->l->layout, LLVMGetTypeAttributeValue(attribute));
    uint32_t p = lower_use(w, arg(call, k)), d = lower_new(w, 1);
    lower_emit(w, (struct vm_insn){.op = VM_OP_BYVAL,
                                   .flags = lower_argument_mask(w, call, k),
                                   .d = d,
                                   .a = p,
                                   .k = size});
    list_push(&a->regs, &(struct vm_arg){d});
    a->nbyval++;
    return true;
}

/* Moves to the next place of the variadic area that has this alignment. */
static void align_variadic(struct lowering *w, struct arguments *a, uint64_t align)
{
    while ((a->regs.n - a->nfixed) * 8 % align) {
        struct vm_arg x = {load_value(w->l, (struct vm_const){0, 0}) | VM_ARG_CONST};
        list_push(&a->regs, &x);
    }
}

/* Passes a vector in the variadic area as it stands in memory. */
static void add_vector(struct lowering *w, struct arguments *a, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMTypeRef packed =
        LLVMIntTypeInContext(w->l->context, (unsigned)LLVMStoreSizeOfType(w->l->layout, t) * 8);
    uint32_t n = load_type_regs(w->l, packed), d = lower_new(w, n);
    lower_recast(w, d, packed, lower_use(w, v), t);
    for (uint32_t k = 0; k < n; k++)
        list_push(&a->regs, &(struct vm_arg){d + k});
}

/* A variadic struct passed in memory takes its bytes in the area. */
static void add_variadic(struct lowering *w, struct arguments *a, LLVMValueRef call, unsigned k)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, k + 1, kind);
    LLVMTypeRef t = LLVMTypeOf(arg(call, k));
    if (!attribute) {
        align_variadic(w, a, LLVMABIAlignmentOfType(w->l->layout, t));
        if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
            add_vector(w, a, arg(call, k));
        else
            add_registers(w, a, arg(call, k));
        return;
    }
    uint64_t align = load_argument_align(call, k);
    if (align)
        align_variadic(w, a, align);
    uint64_t size = LLVMABISizeOfType(w->l->layout, LLVMGetTypeAttributeValue(attribute));
    uint32_t p = lower_use(w, arg(call, k));
    for (uint64_t at = 0; at < size; at += 8) {
        uint32_t d = lower_new(w, 1), n = size - at < 8 ? (uint32_t)(size - at) : 8;
        uint16_t op = n == 8   ? VM_OP_LOAD8
                      : n == 4 ? VM_OP_LOAD4
                      : n == 2 ? VM_OP_LOAD2
                      : n == 1 ? VM_OP_LOAD1
                               : VM_OP_LOADN;
        lower_emit(
            w, (struct vm_insn){
                   .op = op, .w = (uint8_t)(8 * n), .d = d, .a = p, .b = (uint32_t)at, .k = n});
        list_push(&a->regs, &(struct vm_arg){d});
    }
}

static bool is_nonnull(LLVMValueRef call, unsigned k)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("nonnull", 7);
    LLVMValueRef f = callee_of(call);
    return LLVMGetCallSiteEnumAttribute(call, k + 1, kind) ||
           (LLVMIsAFunction(f) && k < LLVMCountParams(f) &&
            LLVMGetEnumAttributeAtIndex(f, k + 1, kind));
}

/* Notes that an argument of the author's must not be undefined, or null (`this`, references):
 * passing one that is would be immediate undefined behaviour. */
static void add_noundef(struct lowering *w, struct arguments *a, LLVMValueRef call, unsigned k,
                        uint32_t first)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noundef", 7);
    if (!w->user || !LLVMGetCallSiteEnumAttribute(call, k + 1, kind))
        return;
    uint32_t more = is_nonnull(call, k) ? VM_ARG_NONNULL : 0;
    for (uint32_t r = first; r < a->regs.n; r++)
        list_push(&a->noundef, &(struct vm_arg){r | more});
}

static uint32_t push_call(struct lowering *w, LLVMValueRef call, LLVMTypeRef type)
{
    struct arguments a = {.regs.item = sizeof(struct vm_arg),
                          .noundef.item = sizeof(struct vm_arg)};
    unsigned n = LLVMGetNumArgOperands(call), fixed = LLVMCountParamTypes(type);
    bool unprototyped = LLVMIsFunctionVarArg(type) && fixed == 0;
    for (unsigned k = 0; k < n; k++) {
        if (k < fixed || unprototyped) {
            uint32_t first = (uint32_t)a.regs.n;
            if (!add_byval(w, &a, call, k))
                add_registers(w, &a, arg(call, k));
            add_noundef(w, &a, call, k, first);
            a.nfixed = (uint32_t)a.regs.n;
        } else {
            add_variadic(w, &a, call, k);
        }
    }
    struct vm_call c = {.first = (uint32_t)w->l->args.n,
                        .nfixed = a.nfixed,
                        .nvar = (uint32_t)a.regs.n - a.nfixed,
                        .nbyval = a.nbyval,
                        .nnoundef = (uint32_t)a.noundef.n,
                        .signature = load_signature(w->l, type),
                        .nret = load_type_regs(w->l, LLVMTypeOf(call))};
    for (size_t k = 0; k < a.regs.n; k++)
        list_push(&w->l->args, &((struct vm_arg *)a.regs.data)[k]);
    for (size_t k = 0; k < a.noundef.n; k++)
        list_push(&w->l->args, &((struct vm_arg *)a.noundef.data)[k]);
    free(a.regs.data);
    free(a.noundef.data);
    list_push(&w->l->calls, &c);
    uint32_t index = (uint32_t)w->l->calls.n - 1;
    if (LLVMIsAInvokeInst(call))
        lower_unwind_edge(w, call, index);
    return index;
}

/* Does a call match the function's type?  Without a prototype, a call has a type with "..."
 * behind the arguments. */
static bool matches(struct loader *l, LLVMValueRef call, LLVMTypeRef called, LLVMValueRef f)
{
    unsigned n = LLVMCountParamTypes(called);
    LLVMTypeRef is = LLVMGlobalGetValueType(f);
    const struct vm_function *function = l->functions_out.data;
    function += map_get(&l->functions, f) - 1;
    uint32_t signature = load_signature(l, called);
    const struct vm_signature *signatures = l->signatures.data;
    if (called == is || !function->defined ||
        vm_ignores_more(&signatures[signature], &signatures[function->signature], function))
        return true;
    if (!LLVMIsFunctionVarArg(called) || LLVMGetReturnType(called) != LLVMGetReturnType(is))
        return false;
    unsigned given = LLVMGetNumArgOperands(call);
    return (n == 0 && given == LLVMCountParamTypes(is)) ||
           (n == given && without_more(called) == is);
}

static void call_function(struct lowering *w, LLVMValueRef call)
{
    LLVMValueRef f = callee_of(call);
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    uint32_t index = LLVMIsAFunction(f) ? map_get(&w->l->functions, f) : 0;
    struct vm_insn x = {.op = index ? VM_OP_CALL : VM_OP_CALLI};
    if (index && !matches(w->l, call, type, f)) {
        char *is = LLVMPrintTypeToString(LLVMGlobalGetValueType(f)),
             *as = LLVMPrintTypeToString(type), text[512];
        snprintf(text, sizeof text, "%s is %s, but is called as %s",
                 load_function_name(w->l, f), is, as);
        lower_unsupported(w, text, true);
        LLVMDisposeMessage(is);
        LLVMDisposeMessage(as);
    }
    if (index)
        x.k = index - 1;
    else
        x.a = lower_use(w, f);
    x.b = push_call(w, call, type);
    if (load_type_regs(w->l, LLVMTypeOf(call)))
        x.d = lower_result(w, call);
    lower_emit(w, x);
}

static void call_setjmp(struct lowering *w, LLVMValueRef call)
{
    uint32_t a = lower_use(w, arg(call, 0)), d = lower_result(w, call);
    lower_emit(w, (struct vm_insn){.op = VM_OP_SETJMP, .a = a, .d = d});
    lower_emit(w, (struct vm_insn){.op = VM_OP_LANDED, .d = d});
}

/* ---- hypercalls ------------------------------------------------------------------ */

/* Returns the instruction for an operation on a control register whose number is a constant. */
static struct vm_insn lower_control(struct lowering *w, LLVMValueRef call, uint32_t reg,
                                    uint8_t op)
{
    uint64_t bits;
    bool pointer =
        reg == VM_REG_USER || reg == VM_REG_TLS || reg == VM_REG_SAVE || reg == VM_REG_STATE;
    if (pointer && op == VM_GET)
        return (struct vm_insn){.op = VM_OP_GET, .a = reg, .d = lower_result(w, call)};
    if (reg == VM_REG_FLAGS && (op == VM_OR || op == VM_ANDNOT) &&
        load_is_const_int(arg(call, 2), &bits) && !(bits & VM_FLAGS_TOLD))
        return (struct vm_insn){.op = op == VM_OR && bits & VM_FLAG_KERNEL ? VM_OP_ENTER
                                                                           : VM_OP_FLAGS,
                                .flags = LLVMGetFirstUse(call) != NULL,
                                .w = op == VM_OR,
                                .d = LLVMGetFirstUse(call) ? lower_result(w, call) : 0,
                                .k = bits};
    w->l->program->forks |= reg == VM_REG_FORK;
    w->l->program->interrupts |=
        reg == VM_REG_FLAGS && op == VM_OR &&
        (!load_is_const_int(arg(call, 2), &bits) || bits & VM_FLAG_INTERRUPTS);
    return (struct vm_insn){.op = VM_OP_CONTROL,
                            .flags = 1,
                            .w = op,
                            .a = reg,
                            .k = lower_use(w, arg(call, 2)),
                            .d = lower_result(w, call)};
}

static bool lower_hypercall(struct lowering *w, LLVMValueRef call, const char *name)
{
    enum { A, B, D, K, NO }; /* the operand that each argument is; NO: there is no result */
    static const struct {
        const char *name;
        uint16_t op;
        uint8_t to[3];
        bool result;
    } table[] = {
        {"obj_make", VM_OP_OBJ_MAKE, {A, B, NO}, true},
        {"obj_free", VM_OP_OBJ_FREE, {A, B, NO}, false},
        {"obj_size", VM_OP_OBJ_SIZE, {A, NO, NO}, true},
        {"obj_resize", VM_OP_OBJ_RESIZE, {A, B, NO}, false},
        {"obj_shared", VM_OP_OBJ_SHARED, {A, NO, NO}, false},
        {"trace", VM_OP_TRACE, {D, A, B}, false},
        {"interrupt_mem", VM_OP_INTERRUPT_MEM, {A, B, D}, false},
        {"choose", VM_OP_CHOOSE, {A, B, NO}, true},
        {"defined", VM_OP_DEFINED, {A, NO, NO}, true},
        {"control", VM_OP_CONTROL, {A, B, K}, true},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (strcmp(name, table[k].name))
            continue;
        struct vm_insn x = {.op = table[k].op};
        uint64_t reg, op;
        if (x.op == VM_OP_CONTROL && load_is_const_int(arg(call, 0), &reg) &&
            load_is_const_int(arg(call, 1), &op) && reg < VM_REG_COUNT && op <= VM_ANDNOT) {
            lower_emit(w, lower_control(w, call, (uint32_t)reg, (uint8_t)op));
            return true;
        }
        bool has_kind = x.op == VM_OP_OBJ_MAKE || x.op == VM_OP_OBJ_FREE;
        x.flags = has_kind && load_is_const_int(arg(call, 1), &x.k);
        for (unsigned n = 0; n < (x.flags ? 1u : 3u) && table[k].to[n] != NO; n++) {
            uint32_t r = lower_use(w, arg(call, n));
            switch (table[k].to[n]) {
            case A: x.a = r; break;
            case B: x.b = r; break;
            case D: x.d = r; break;
            default: x.k = r; break;
            }
        }
        if (table[k].result)
            x.d = lower_result(w, call);
        lower_emit(w, x);
        return true;
    }
    return false;
}

/* ---- what is called -------------------------------------------------------------- */

static bool inline_asm(struct lowering *w, LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    size_t n = 0;
    if (!LLVMIsAInlineAsm(f))
        return false;
    LLVMGetInlineAsmAsmString(f, &n);
    if (n == 0 && LLVMGetNumArgOperands(call) == 0 &&
        load_type_regs(w->l, LLVMTypeOf(call)) == 0)
        return true; /* a compiler barrier */
    lower_unsupported(w, "inline assembly", false);
    uint32_t regs = load_type_regs(w->l, LLVMTypeOf(call));
    if (regs)
        lower_emit(w,
                   (struct vm_insn){.op = VM_OP_UNDEF, .d = lower_result(w, call), .b = regs});
    return true;
}

static void lower_named(struct lowering *w, LLVMValueRef call, const char *name)
{
    static const char *const setjmps[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp",
                                          "__setjmp"};
    if (!strncmp(name, "llvm.eh.typeid.for", 18)) {
        lower_selector(w, call);
        return;
    }
    if (w->notes && !strcmp(name, "llvm.dbg.value")) {
        lower_note(w, call);
        return;
    }
    if (!strncmp(name, "llvm.", 5)) {
        lower_intrinsic(w, call, name + 5);
        return;
    }
    if (!strncmp(name, "__divm_", 7) && lower_hypercall(w, call, name + 7))
        return;
    for (size_t k = 0; k < sizeof setjmps / sizeof *setjmps; k++)
        if (!strcmp(name, setjmps[k])) {
            call_setjmp(w, call);
            return;
        }
    call_function(w, call);
}

/* Notes the type of what is allocated, and the variable that gets what the program's own code
 * has chosen.  A `new` in a library's template may be the user's: std::make_unique has one. */
static void note_made(struct lowering *w, LLVMValueRef call)
{
    struct vm_variable made = load_made(w->l, call);
    struct vm_loc *loc = &((struct vm_loc *)w->l->locs.data)[w->loc];
    bool chooses = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMPointerTypeKind;
    if (!made.type || (chooses && (loc->made || !w->user))) /* two calls of one macro */
        return;
    list_push(&w->l->made, &made);
    loc->made = (uint32_t)w->l->made.n;
    loc->chooses = chooses;
}

void lower_call(struct lowering *w, LLVMValueRef call)
{
    if (w->loc)
        note_made(w, call);
    LLVMValueRef f = callee_of(call);
    if (!inline_asm(w, call)) {
        if (LLVMIsAFunction(f))
            lower_named(w, call, LLVMGetValueName(f));
        else
            call_function(w, call);
    }
    if (LLVMIsAInvokeInst(call))
        lower_jump(w, LLVMGetNormalDest(call));
}
