/* load_apint.c - integers of more than 64 bits, and bit casts. */
#include <stdlib.h>

#include "vm/exec/apint.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lower/load_wide.h"
#include "vm/load/lowering.h"

static LLVMValueRef operand(LLVMValueRef i, unsigned k)
{
    return LLVMGetOperand(i, k);
}

static LLVMTypeRef scalar_of(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}

static uint32_t lanes(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

unsigned lower_int_bits(LLVMTypeRef t)
{
    t = scalar_of(t);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

bool lower_is_apint(LLVMTypeRef t)
{
    unsigned w = lower_int_bits(t);
    return w > 64 && w <= VM_APINT_BITS;
}

/* Emits one APINT instruction for each lane: d = a op b op c, with operands of `from` bits and
 * results of `to` bits. */
void lower_apint_lanes(struct lowering *w, LLVMValueRef i, enum vm_apint_op op, unsigned flags,
                       LLVMTypeRef from, LLVMTypeRef to, const uint32_t *use)
{
    unsigned wf = lower_int_bits(from), wt = lower_int_bits(to);
    wf = wf ? wf : lower_width(w, from);
    wt = wt ? wt : lower_width(w, to);
    struct vm_apint shape = vm_apint_decode(vm_apint_encode(op, wf, wt, 0));
    uint32_t n = lanes(from), all = load_type_regs(w->l, LLVMTypeOf(i)), d = lower_result(w, i);
    if (n > 1) {
        d = lower_new(w, all);
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = all});
    }
    for (uint32_t k = 0; k < n; k++)
        lower_emit(w, (struct vm_insn){.op = VM_OP_APINT,
                                       .flags = (uint8_t)flags,
                                       .d = d + k * shape.nd,
                                       .a = use[0] + k * shape.na,
                                       .b = shape.nb ? use[1] + k * shape.nb : 0,
                                       .k = vm_apint_encode(
                                           op, wf, wt, shape.nc ? use[2] + k * shape.nc : 0)});
    if (n > 1)
        lower_emit(
            w, (struct vm_insn){.op = VM_OP_MOVN, .d = lower_result(w, i), .a = d, .b = all});
}

static bool binary_op(LLVMOpcode opcode, enum vm_apint_op *op)
{
    static const struct {
        LLVMOpcode from;
        enum vm_apint_op to;
    } table[] = {
        {LLVMAdd, VM_W_ADD},   {LLVMSub, VM_W_SUB},   {LLVMMul, VM_W_MUL},
        {LLVMUDiv, VM_W_UDIV}, {LLVMSDiv, VM_W_SDIV}, {LLVMURem, VM_W_UREM},
        {LLVMSRem, VM_W_SREM}, {LLVMShl, VM_W_SHL},   {LLVMLShr, VM_W_LSHR},
        {LLVMAShr, VM_W_ASHR}, {LLVMAnd, VM_W_AND},   {LLVMOr, VM_W_OR},
        {LLVMXor, VM_W_XOR},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].from == opcode) {
            *op = table[k].to;
            return true;
        }
    return false;
}

static bool conversion(LLVMOpcode opcode, enum vm_apint_op *op)
{
    switch ((int)opcode) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr: *op = VM_W_ZEXT; return true;
    case LLVMSExt: *op = VM_W_SEXT; return true;
    case LLVMSIToFP: *op = VM_W_TO_FLOAT_S; return true;
    case LLVMUIToFP: *op = VM_W_TO_FLOAT_U; return true;
    case LLVMFPToSI: *op = VM_W_FROM_FLOAT_S; return true;
    case LLVMFPToUI: *op = VM_W_FROM_FLOAT_U; return true;
    default: return false;
    }
}

static bool convertible(struct lowering *w, LLVMTypeRef from, LLVMTypeRef to)
{
    LLVMTypeRef narrow = lower_is_apint(from) ? to : from;
    if (lower_int_bits(narrow) > VM_APINT_BITS)
        return false;
    return (lower_is_apint(from) || lower_is_apint(to)) &&
           (lower_int_bits(narrow) || lower_width(w, narrow) >= 32);
}

/* Lowers a switch over a wide integer to a chain of compares and branches. */
static void apint_switch(struct lowering *w, LLVMValueRef i)
{
    LLVMTypeRef t = LLVMTypeOf(operand(i, 0));
    uint32_t a = lower_use(w, operand(i, 0));
    unsigned bits = lower_int_bits(t);
    for (unsigned k = 1; k < LLVMGetNumSuccessors(i); k++) {
        uint32_t b = lower_use(w, operand(i, 2 * k)), is = lower_new(w, 1);
        lower_emit(w, (struct vm_insn){.op = VM_OP_APINT,
                                       .d = is,
                                       .a = a,
                                       .b = b,
                                       .k = vm_apint_encode(VM_W_EQ, bits, 1, 0)});
        uint32_t at = (uint32_t)w->code.n;
        lower_emit(w, (struct vm_insn){.op = VM_OP_BR, .a = is, .k = at + 1});
        lower_fix(w, at, FIX_HIGH, lower_target(w, LLVMGetSuccessor(i, k)));
    }
    lower_jump(w, LLVMGetSuccessor(i, 0));
}

bool lower_apint(struct lowering *w, LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    enum vm_apint_op op;
    if (LLVMGetNumOperands(i) == 0)
        return false;
    LLVMTypeRef from = LLVMTypeOf(operand(i, 0)), to = LLVMTypeOf(i);
    if (opcode == LLVMSwitch && lower_is_apint(from)) {
        apint_switch(w, i);
        return true;
    }
    if (conversion(opcode, &op) && convertible(w, from, to)) {
        uint32_t use[] = {lower_use(w, operand(i, 0))};
        unsigned flags = lower_as_written(w) ? VM_CHECKED : 0;
        if (opcode == LLVMZExt && LLVMGetNNeg(i))
            flags = VM_NSW;
        if (opcode == LLVMTrunc)
            flags = (LLVMGetNSW(i) ? VM_NSW : 0) | (LLVMGetNUW(i) ? VM_NUW : 0);
        lower_apint_lanes(w, i, op, flags, from, to, use);
        return true;
    }
    if (!lower_is_apint(from))
        return false;
    bool compare = opcode == LLVMICmp;
    if (compare)
        op = (enum vm_apint_op)(VM_W_EQ + (LLVMGetICmpPredicate(i) - LLVMIntEQ));
    else if (!binary_op(opcode, &op))
        return false;
    uint32_t use[] = {lower_use(w, operand(i, 0)), lower_use(w, operand(i, 1))};
    lower_apint_lanes(w, i, op, compare ? 0 : lower_arith_flags(w, i, opcode), from, to, use);
    return true;
}

/* ---- bit casts ------------------------------------------------------------------- */

static unsigned element_bits(struct lowering *w, LLVMTypeRef t)
{
    t = scalar_of(t);
    if (lower_int_bits(t))
        return lower_int_bits(t);
    return (unsigned)LLVMSizeOfTypeInBits(w->l->layout, t);
}

/* d of type `to` = the bits of a of type `from`. */
void lower_recast(struct lowering *w, uint32_t d, LLVMTypeRef to, uint32_t a, LLVMTypeRef from)
{
    unsigned wf = element_bits(w, from), wt = element_bits(w, to);
    uint64_t bits = (uint64_t)wf * lanes(from);
    uint32_t n = load_type_regs(w->l, from);
    if (wf == wt)
        lower_emit(
            w, (struct vm_insn){.op = n == 1 ? VM_OP_MOV : VM_OP_MOVN, .d = d, .a = a, .b = n});
    else
        lower_emit(w, (struct vm_insn){.op = VM_OP_RECAST,
                                       .d = d,
                                       .a = a,
                                       .k = bits << 32 | (uint64_t)wt << 16 | wf});
}

/* Returns an integer type of as many bits, if a vector's elements do not fill their bytes. */
LLVMTypeRef lower_packed(struct lowering *w, LLVMTypeRef t)
{
    unsigned bits = lower_int_bits(t);
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind || !bits || bits % 8 == 0 ||
        bits * lanes(t) > VM_APINT_BITS)
        return NULL;
    return LLVMIntTypeInContext(w->l->context, bits * lanes(t));
}
