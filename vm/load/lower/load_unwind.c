/* load_unwind.c - exceptions: what invoke, landingpad and resume become.
 *
 * An invoke is a call whose vm_call names where an exception goes on and the two
 * registers that the guest's unwinder writes before it goes on there; so the
 * landing pad itself is no instruction.  The guest finds the calls in a constant
 * table, sorted by code pointer (struct vm_landing); resume is a call of its
 * _Unwind_Resume.  A type's selector is a small number of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_flow.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lowering.h"
#include "vm/load/table.h"

static LLVMValueRef landing_pad(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i && LLVMIsALandingPadInst(i) ? i : NULL;
}

/* Returns the guest pointer of a type info; 0 for "any", or if it is not defined. */
static uint64_t type_pointer(struct loader *l, LLVMValueRef type)
{
    struct vm_const c;
    return load_const_reg(l, type, 0, &c) ? c.value : 0;
}

static uint32_t selector_of(struct loader *l, uint64_t type)
{
    const void *key = (const void *)(uintptr_t)(type ? type : 1);
    uint32_t n = map_get(&l->selectors, key);
    if (!n) {
        n = (uint32_t)l->selectors.n + 1;
        map_put(&l->selectors, key, n);
    }
    return n;
}

void lower_selector(struct lowering *w, LLVMValueRef call)
{
    uint32_t n = selector_of(w->l, type_pointer(w->l, LLVMGetOperand(call, 0)));
    lower_emit(w, (struct vm_insn){.op = VM_OP_CONST, .d = lower_result(w, call), .k = n});
}

/* ---- edges ----------------------------------------------------------------------- */

void lower_unwind_edge(struct lowering *w, LLVMValueRef invoke, uint32_t call)
{
    LLVMBasicBlockRef to = LLVMGetUnwindDest(invoke);
    LLVMValueRef pad = landing_pad(to);
    if (!pad || load_type_regs(w->l, LLVMTypeOf(pad)) != 2) { /* of Windows */
        LLVMValueRef first = LLVMGetFirstInstruction(to);
        char text[64];
        snprintf(text, sizeof text, "the instruction %s",
                 load_opcode_name(LLVMGetInstructionOpcode(first)));
        lower_unsupported(w, text, false);
        return;
    }
    w->out->catches = true;
    uint32_t result = lower_result(w, pad), number = map_get(&w->l->pads, pad);
    if (!number) {
        list_push(&w->l->pad_list, &(struct pad){.instruction = pad});
        number = (uint32_t)w->l->pad_list.n;
        map_put(&w->l->pads, pad, number);
    }
    struct vm_call *c = &((struct vm_call *)w->l->calls.data)[call];
    c->landing = result;
    c->pad = number;
    lower_fix(w, call, FIX_UNWIND, lower_target(w, to));
}

void lower_resume(struct lowering *w, LLVMValueRef i)
{
    LLVMValueRef f = LLVMGetNamedFunction(w->l->module, "_Unwind_Resume");
    uint32_t a = lower_use(w, LLVMGetOperand(i, 0)),
             index = f ? map_get(&w->l->functions, f) : 0;
    if (index) {
        struct vm_call c = {.first = (uint32_t)w->l->args.n,
                            .nfixed = 1,
                            .signature = load_signature(w->l, LLVMGlobalGetValueType(f))};
        list_push(&w->l->args, &(struct vm_arg){a});
        list_push(&w->l->calls, &c);
        lower_emit(w, (struct vm_insn){
                          .op = VM_OP_CALL, .k = index - 1, .b = (uint32_t)w->l->calls.n - 1});
    } else {
        lower_unsupported(w, "an exception without the C++ runtime", false);
    }
    lower_emit(w, (struct vm_insn){.op = VM_OP_UNREACHABLE});
}

/* ---- tables ---------------------------------------------------------------------- */

static struct vm_obj *table(uint64_t size)
{
    struct vm_obj *o = vm_obj_new((uint32_t)size, VM_OBJ_CONST);
    vm_obj_fill(o, 0, (uint32_t)size, 0, 0xff);
    return o;
}

static uint64_t publish(struct loader *l, struct vm_obj *o)
{
    list_push(&l->consts_out,
              &(struct vm_global){.name = "landing pads", .init = o, .library = true});
    return vm_ptr(VM_ID_CONST, (uint32_t)l->consts_out.n - 1, 0);
}

static void put(struct vm_obj *o, size_t at, unsigned bytes, uint64_t v, bool pointer)
{
    vm_obj_put(o, (uint32_t)at, bytes, v, ~0ull, pointer && v ? 0xff : 0);
}

/* Makes the list of a filter: the types that may pass, and NULL at its end. */
static uint64_t filter(struct loader *l, LLVMValueRef clause)
{
    unsigned n = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(clause));
    struct vm_obj *o = table((n + 1) * 8ull);
    for (unsigned k = 0; k < n; k++)
        put(o, k * 8, 8, type_pointer(l, LLVMGetAggregateElement(clause, k)), true);
    return publish(l, o);
}

static void publish_pad(struct loader *l, struct pad *pad)
{
    unsigned n = LLVMGetNumClauses(pad->instruction);
    struct vm_obj *o = table(n * sizeof(struct vm_clause));
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef clause = LLVMGetClause(pad->instruction, k);
        bool catches = LLVMGetTypeKind(LLVMTypeOf(clause)) == LLVMPointerTypeKind;
        uint64_t type = catches ? type_pointer(l, clause) : 0;
        size_t at = k * sizeof(struct vm_clause);
        put(o, at + offsetof(struct vm_clause, type), 8, type, true);
        if (!catches)
            put(o, at + offsetof(struct vm_clause, filter), 8, filter(l, clause), true);
        uint64_t selector = catches ? selector_of(l, type) : 0 - (uint64_t)(k + 1);
        put(o, at + offsetof(struct vm_clause, selector), 8, selector, false);
    }
    pad->count = n;
    pad->cleanup = LLVMIsCleanup(pad->instruction);
    pad->clauses = publish(l, o);
}

static void put_landing(struct vm_obj *o, size_t at, uint64_t function, uint32_t insn,
                        const struct vm_call *c, const struct pad *pad)
{
    put(o, at + offsetof(struct vm_landing, call), 8, function | insn, true);
    put(o, at + offsetof(struct vm_landing, pad), 8, function | c->unwind, true);
    put(o, at + offsetof(struct vm_landing, clauses), 8, pad->clauses, true);
    put(o, at + offsetof(struct vm_landing, nclauses), 4, pad->count, false);
    put(o, at + offsetof(struct vm_landing, reg), 2, c->landing - VM_FRAME_HEADER, false);
    put(o, at + offsetof(struct vm_landing, cleanup), 2, pad->cleanup, false);
}

static bool lands(const struct loader *l, const struct vm_insn *i)
{
    return (i->op == VM_OP_CALL || i->op == VM_OP_CALLI) &&
           ((const struct vm_call *)l->calls.data)[i->b].unwind;
}

static uint64_t count_landings(const struct loader *l)
{
    const struct vm_function *functions = l->functions_out.data;
    uint64_t n = 0;
    for (size_t f = 0; f < l->functions_out.n; f++)
        for (uint32_t k = 0; k < functions[f].ncode; k++)
            n += lands(l, &functions[f].code[k]);
    return n;
}

/* The table has no room for more than the landings: it is a part of the program's hash, which
 * the calls of functions with notes do not change. */
uint64_t load_landings(struct loader *l, uint64_t *count)
{
    const struct vm_call *calls = l->calls.data;
    struct pad *pads = l->pad_list.data;
    struct vm_obj *o = table(count_landings(l) * sizeof(struct vm_landing));
    *count = 0;
    for (size_t k = 0; k < l->pad_list.n; k++)
        publish_pad(l, &pads[k]);
    for (size_t f = 0; f < l->functions_out.n; f++) {
        const struct vm_function *function = &((struct vm_function *)l->functions_out.data)[f];
        for (uint32_t k = 0; k < function->ncode; k++) {
            const struct vm_insn *i = &function->code[k];
            if (lands(l, i))
                put_landing(o, (*count)++ * sizeof(struct vm_landing),
                            vm_ptr(VM_ID_CODE, (uint32_t)f, 0), k, &calls[i->b],
                            &pads[calls[i->b].pad - 1]);
        }
    }
    return publish(l, o);
}

static bool is_nounwind(const struct loader *l, size_t f)
{
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    return f < l->functions_out.n &&
           LLVMGetEnumAttributeAtIndex(l->llvm_functions[f], index, nounwind);
}

uint64_t load_nounwind(struct loader *l, uint64_t *count)
{
    struct vm_obj *o = table((l->functions_out.n / 2 + 1) * sizeof(struct vm_functions));
    *count = 0;
    for (size_t f = 0; f < l->functions_out.n; f++) {
        size_t at = *count * sizeof(struct vm_functions), begin = f;
        while (is_nounwind(l, f))
            f++;
        if (f == begin)
            continue;
        uint64_t first = vm_ptr(VM_ID_CODE, (uint32_t)begin, 0);
        put(o, at + offsetof(struct vm_functions, begin), 8, first, true);
        put(o, at + offsetof(struct vm_functions, end), 8, vm_ptr(VM_ID_CODE, (uint32_t)f, 0),
            true);
        ++*count;
    }
    return publish(l, o);
}
