/* load_vector.c - aggregates, vectors, select and freeze: moves of registers; vectors of
 * addresses. */
#include <stdlib.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lower/load_vector.h"
#include "vm/load/lowering.h"

static LLVMValueRef operand(LLVMValueRef i, unsigned k)
{
    return LLVMGetOperand(i, k);
}

static uint32_t part_offset(struct lowering *w, LLVMTypeRef t, LLVMValueRef i)
{
    uint32_t reg = 0;
    const unsigned *index = LLVMGetIndices(i);
    for (unsigned k = 0; k < LLVMGetNumIndices(i); k++) {
        bool is_struct = LLVMGetTypeKind(t) == LLVMStructTypeKind;
        for (unsigned e = 0; e < index[k]; e++)
            reg += load_type_regs(w->l, is_struct ? LLVMStructGetTypeAtIndex(t, e)
                                                  : LLVMGetElementType(t));
        t = is_struct ? LLVMStructGetTypeAtIndex(t, index[k]) : LLVMGetElementType(t);
    }
    return reg;
}

static void copy_regs(struct lowering *w, uint32_t d, uint32_t a, uint32_t n)
{
    if (n)
        lower_emit(
            w, (struct vm_insn){.op = n == 1 ? VM_OP_MOV : VM_OP_MOVN, .d = d, .a = a, .b = n});
}

void lower_extract(struct lowering *w, LLVMValueRef i)
{
    uint32_t a = lower_use(w, operand(i, 0));
    copy_regs(w, lower_result(w, i), a + part_offset(w, LLVMTypeOf(operand(i, 0)), i),
              load_type_regs(w->l, LLVMTypeOf(i)));
}

void lower_insert(struct lowering *w, LLVMValueRef i)
{
    uint32_t a = lower_use(w, operand(i, 0)), b = lower_use(w, operand(i, 1)),
             d = lower_result(w, i);
    copy_regs(w, d, a, load_type_regs(w->l, LLVMTypeOf(i)));
    copy_regs(w, d + part_offset(w, LLVMTypeOf(i), i), b,
              load_type_regs(w->l, LLVMTypeOf(operand(i, 1))));
}

/* Inserts or extracts an element whose index is a register, by comparing the index with that of
 * every element.  A wide element is several registers. */
static void element_at(struct lowering *w, LLVMValueRef i, bool insert, uint32_t a, uint32_t x)
{
    LLVMTypeRef vt = LLVMTypeOf(operand(i, 0));
    uint32_t lanes = LLVMGetVectorSize(vt), all = load_type_regs(w->l, vt), each = all / lanes;
    uint32_t b = lower_use(w, operand(i, insert ? 2 : 1)), is = lower_new(w, 1),
             old = lower_new(w, all), none = lower_new(w, all), d;
    copy_regs(w, old, a, all); /* the result may be the operand's register */
    lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = none, .b = all});
    d = lower_begin(w, i, insert ? all : each);
    if (!insert && each == 1)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = 1});
    for (uint32_t k = 0; k < lanes; k++) {
        lower_emit(w, (struct vm_insn){.op = VM_OP_EQ_K, .w = 64, .d = is, .a = b, .k = k});
        lower_emit(w, (struct vm_insn){.op = VM_OP_SELECT,
                                       .w = (uint8_t)each,
                                       .d = insert ? d + k * each : d,
                                       .a = is,
                                       .b = insert ? x : old + k * each,
                                       .k = insert ? old + k * each : d});
    }
    if (!insert)
        return;
    lower_emit(w, (struct vm_insn){.op = VM_OP_ULT_K, .w = 64, .d = is, .a = b, .k = lanes});
    for (uint32_t k = 0; k < all; k++) /* poison beyond the vector */
        lower_emit(
            w, (struct vm_insn){
                   .op = VM_OP_SELECT, .w = 1, .d = d + k, .a = is, .b = d + k, .k = none + k});
}

void lower_element(struct lowering *w, LLVMValueRef i, bool insert)
{
    LLVMTypeRef vt = LLVMTypeOf(operand(i, 0));
    uint32_t lanes = LLVMGetVectorSize(vt), all = load_type_regs(w->l, vt), each = all / lanes;
    uint32_t a = lower_use(w, operand(i, 0)), x = insert ? lower_use(w, operand(i, 1)) : 0;
    uint64_t at;
    if (!load_is_const_int(operand(i, insert ? 2 : 1), &at) || at >= lanes) {
        element_at(w, i, insert, a, x);
        return;
    }
    uint32_t d = lower_result(w, i), first = (uint32_t)at * each;
    copy_regs(w, d, insert ? a : a + first, insert ? all : each);
    if (insert)
        copy_regs(w, d + first, x, each);
}

void lower_shuffle(struct lowering *w, LLVMValueRef i)
{
    LLVMTypeRef vt = LLVMTypeOf(operand(i, 0));
    uint32_t n = LLVMGetVectorSize(vt), each = load_type_regs(w->l, vt) / n;
    uint32_t a = lower_use(w, operand(i, 0)), b = lower_use(w, operand(i, 1));
    uint32_t count = LLVMGetNumMaskElements(i), d = lower_new(w, count * each);
    lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = count * each});
    for (uint32_t k = 0; k < count; k++) {
        int m = LLVMGetMaskValue(i, k);
        uint32_t from = (uint32_t)m < n ? a + (uint32_t)m * each : b + ((uint32_t)m - n) * each;
        if (m != LLVMGetUndefMaskElem())
            copy_regs(w, d + k * each, from, each);
    }
    copy_regs(w, lower_result(w, i), d, count * each);
}

void lower_select(struct lowering *w, LLVMValueRef i)
{
    uint32_t n = load_type_regs(w->l, LLVMTypeOf(i));
    bool vector = LLVMGetTypeKind(LLVMTypeOf(operand(i, 0))) == LLVMVectorTypeKind;
    uint32_t c = lower_use(w, operand(i, 0)), a = lower_use(w, operand(i, 1)),
             b = lower_use(w, operand(i, 2));
    if (!vector && n <= 255) {
        lower_emit(w, (struct vm_insn){.op = VM_OP_SELECT,
                                       .w = (uint8_t)n,
                                       .d = lower_result(w, i),
                                       .a = c,
                                       .b = a,
                                       .k = b});
        return;
    }
    uint32_t d = lower_new(w, n);
    lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = n});
    for (uint32_t k = 0; k < n; k++)
        lower_emit(w, (struct vm_insn){.op = VM_OP_SELECT,
                                       .w = 1,
                                       .d = d + k,
                                       .a = vector ? c + k : c,
                                       .b = a + k,
                                       .k = b + k});
    copy_regs(w, lower_result(w, i), d, n);
}

void lower_freeze(struct lowering *w, LLVMValueRef i)
{
    uint32_t n = load_type_regs(w->l, LLVMTypeOf(i)), a = lower_use(w, operand(i, 0)),
             d = lower_begin(w, i, n);
    for (uint32_t k = 0; k < n; k++)
        lower_emit(w, (struct vm_insn){.op = VM_OP_FREEZE, .w = 64, .d = d + k, .a = a + k});
}

/* Computes one lane of a vector of addresses.  A scalar operand serves all lanes. */
static void gep_lane(struct lowering *w, LLVMValueRef i, uint32_t lane, uint32_t d,
                     const uint32_t *use)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(i);
    bool vector = LLVMGetTypeKind(LLVMTypeOf(operand(i, 0))) == LLVMVectorTypeKind;
    uint32_t p = use[0] + (vector ? lane : 0);
    for (unsigned k = 1; k <= LLVMGetNumIndices(i); k++) {
        LLVMTypeRef it = LLVMTypeOf(operand(i, k));
        uint32_t b = use[k] + (LLVMGetTypeKind(it) == LLVMVectorTypeKind ? lane : 0),
                 r = lower_new(w, 1);
        if (k > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            LLVMValueRef c = operand(i, k);
            if (LLVMGetTypeKind(it) == LLVMVectorTypeKind)
                c = LLVMGetAggregateElement(c, 0);
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(c);
            lower_emit(w, (struct vm_insn){.op = VM_OP_PTRADD,
                                           .d = r,
                                           .a = p,
                                           .k = LLVMOffsetOfElement(w->l->layout, t, field)});
            t = LLVMStructGetTypeAtIndex(t, field);
        } else {
            t = k > 1 ? LLVMGetElementType(t) : t;
            lower_emit(w, (struct vm_insn){.op = VM_OP_INDEX,
                                           .w = (uint8_t)lower_width(w, it),
                                           .d = r,
                                           .a = p,
                                           .b = b,
                                           .k = LLVMABISizeOfType(w->l->layout, t) << 32});
        }
        p = r;
    }
    lower_emit(w, (struct vm_insn){.op = VM_OP_MOV, .d = d + lane, .a = p});
}

void lower_vector_gep(struct lowering *w, LLVMValueRef i)
{
    uint32_t n = LLVMGetVectorSize(LLVMTypeOf(i)),
             *use = vm_alloc((LLVMGetNumIndices(i) + 1) * sizeof *use);
    for (unsigned k = 0; k <= LLVMGetNumIndices(i); k++)
        use[k] = lower_use(w, operand(i, k));
    uint32_t d = lower_new(w, n);
    lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = n});
    for (uint32_t lane = 0; lane < n; lane++)
        gep_lane(w, i, lane, d, use);
    lower_emit(w, (struct vm_insn){.op = VM_OP_MOVN, .d = lower_result(w, i), .a = d, .b = n});
    free(use);
}
