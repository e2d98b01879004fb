/* load_vector.c - aggregates, vectors, select and freeze: moves of registers; vectors of
 * addresses. */
#include <stdlib.h>

#include "load.h"
#include "memory.h"

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

void lower_element(struct lowering *w, LLVMValueRef i, bool insert)
{
    LLVMTypeRef vt = LLVMTypeOf(operand(i, 0));
    uint32_t n = LLVMGetVectorSize(vt), a = lower_use(w, operand(i, 0)), d;
    uint64_t at;
    LLVMValueRef index = operand(i, insert ? 2 : 1);
    uint32_t x = insert ? lower_use(w, operand(i, 1)) : 0;
    if (lower_is_const_int(index, &at) && at < n) {
        d = lower_result(w, i);
        copy_regs(w, d, insert ? a : a + (uint32_t)at, insert ? n : 1);
        if (insert)
            copy_regs(w, d + (uint32_t)at, x, 1);
        return;
    }
    uint32_t b = lower_use(w, index), is = lower_new(w, 1), old = lower_new(w, n);
    copy_regs(w, old, a, n); /* the result may be the operand's register */
    d = lower_begin(w, i, insert ? n : 1);
    if (!insert)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = 1});
    for (uint32_t k = 0; k < n; k++) {
        lower_emit(w, (struct vm_insn){.op = VM_OP_EQ_K, .w = 64, .d = is, .a = b, .k = k});
        if (insert)
            lower_emit(
                w, (struct vm_insn){
                       .op = VM_OP_SELECT, .w = 1, .d = d + k, .a = is, .b = x, .k = old + k});
        else
            lower_emit(w,
                       (struct vm_insn){
                           .op = VM_OP_SELECT, .w = 1, .d = d, .a = is, .b = old + k, .k = d});
    }
}

void lower_shuffle(struct lowering *w, LLVMValueRef i)
{
    uint32_t n = LLVMGetVectorSize(LLVMTypeOf(operand(i, 0)));
    uint32_t a = lower_use(w, operand(i, 0)), b = lower_use(w, operand(i, 1));
    uint32_t count = LLVMGetNumMaskElements(i), d = lower_new(w, count);
    lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = count});
    for (uint32_t k = 0; k < count; k++) {
        int m = LLVMGetMaskValue(i, k);
        if (m != LLVMGetUndefMaskElem())
            copy_regs(w, d + k, (uint32_t)m < n ? a + (uint32_t)m : b + (uint32_t)m - n, 1);
    }
    copy_regs(w, lower_result(w, i), d, count);
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

/* One lane of a vector of addresses; a scalar operand serves all lanes. */
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
