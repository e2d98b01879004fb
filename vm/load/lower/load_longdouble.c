/* load_longdouble.c - x86_fp80 and fp128: instructions, intrinsics and constants. */
#include "vm/exec/longdouble.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lower/load_wide.h"
#include "vm/load/lowering.h"

#include <stdlib.h>
#include <string.h>

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

static bool is_quad(LLVMTypeRef t)
{
    return LLVMGetTypeKind(scalar_of(t)) == LLVMFP128TypeKind;
}

bool lower_is_longdouble(LLVMTypeRef t)
{
    return is_quad(t) || LLVMGetTypeKind(scalar_of(t)) == LLVMX86_FP80TypeKind;
}

/* A constant's words are read from its text, since the C API has no other access to them.  LLVM
 * prints 0xK and sign, exponent, fraction; or 0xL and the low word, the high word. */
struct vm_const load_longdouble_const(LLVMValueRef c, uint32_t k)
{
    char *text = LLVMPrintValueToString(c), *digits = strstr(text, "0x");
    bool quad = is_quad(LLVMTypeOf(c));
    size_t length = digits ? strlen(digits) : 0, first = quad ? 16 : 4;
    uint64_t word[2] = {0, 0};
    if (length == 3 + first + 16) {
        word[quad ? 1 : 0] = strtoull(digits + 3 + first, NULL, 16);
        digits[3 + first] = 0;
        word[quad ? 0 : 1] = strtoull(digits + 3, NULL, 16);
    }
    LLVMDisposeMessage(text);
    return (struct vm_const){word[k], 0x00ff};
}

/* Emits one LONGDOUBLE for each lane.  All results are moved at the end, since an operand may
 * be the result. */
static void longdouble_lanes(struct lowering *w, LLVMValueRef i, enum vm_longdouble_op op,
                             bool quad, unsigned detail, struct vm_insn insn, uint32_t c)
{
    uint32_t all = load_type_regs(w->l, LLVMTypeOf(i)), n = lanes(LLVMTypeOf(i)),
             d = lower_new(w, all);
    struct vm_longdouble x =
        vm_longdouble_decode(vm_longdouble_encode(op, quad, detail, 0), insn.w);
    if (n > 1)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = all});
    insn.op = VM_OP_LONGDOUBLE;
    for (uint32_t k = 0; k < n; k++) {
        insn.d = d + k * x.nd;
        insn.k = vm_longdouble_encode(op, quad, detail, x.nc ? c + k * x.nc : 0);
        lower_emit(w, insn);
        insn.a += x.na;
        insn.b += x.nb;
    }
    lower_emit(w, (struct vm_insn){.op = all == 1 ? VM_OP_MOV : VM_OP_MOVN,
                                   .d = lower_result(w, i),
                                   .a = d,
                                   .b = all});
}

/* Lowers a conversion to or from x86_fp80 or fp128; false if the other type does not fit. */
static bool conversion(struct lowering *w, LLVMValueRef i, LLVMOpcode opcode)
{
    LLVMTypeRef from = LLVMTypeOf(operand(i, 0)), to = LLVMTypeOf(i);
    bool is_longdouble = lower_is_longdouble(from), quad = is_quad(is_longdouble ? from : to);
    LLVMTypeRef other = is_longdouble ? to : from;
    unsigned bits = lower_int_bits(other);
    bits = bits ? bits : lower_width(w, other);
    bool both = lower_is_longdouble(other),
         to_int = opcode == LLVMFPToSI || opcode == LLVMFPToUI,
         from_int = opcode == LLVMSIToFP || opcode == LLVMUIToFP;
    if (!both && (bits == 0 || bits > 128 || lower_is_half(other)))
        return false;
    struct vm_insn x = {.a = lower_use(w, operand(i, 0)), .w = (uint8_t)bits};
    if (both)
        longdouble_lanes(w, i, VM_L_CONVERT, is_quad(from), 0, x, 0);
    else if (from_int)
        longdouble_lanes(w, i, VM_L_FROM_INT, quad, opcode == LLVMSIToFP, x, 0);
    else if (to_int) {
        x.flags = lower_as_written(w) ? VM_CHECKED : 0;
        longdouble_lanes(w, i, VM_L_TO_INT, quad,
                         opcode == LLVMFPToSI ? VM_LONGDOUBLE_SIGNED : 0, x, 0);
    } else
        longdouble_lanes(w, i, is_longdouble ? VM_L_TO_FLOAT : VM_L_FROM_FLOAT, quad, 0, x, 0);
    return true;
}

bool lower_longdouble(struct lowering *w, LLVMValueRef i, LLVMOpcode opcode)
{
    LLVMTypeRef t = LLVMGetNumOperands(i) ? LLVMTypeOf(operand(i, 0)) : NULL;
    if (!t || (!lower_is_longdouble(t) && !lower_is_longdouble(LLVMTypeOf(i))))
        return false;
    struct vm_insn x = {0};
    unsigned detail = 0;
    enum vm_longdouble_op op;
    switch ((int)opcode) {
    case LLVMFAdd: op = VM_L_ADD; break;
    case LLVMFSub: op = VM_L_SUB; break;
    case LLVMFMul: op = VM_L_MUL; break;
    case LLVMFDiv: op = VM_L_DIV; break;
    case LLVMFRem: op = VM_L_REM; break;
    case LLVMFNeg: op = VM_L_NEG; break;
    case LLVMFCmp:
        op = VM_L_COMPARE;
        detail = lower_float_predicate(i);
        break;
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt: return conversion(w, i, opcode);
    default: return false;
    }
    x.a = lower_use(w, operand(i, 0));
    x.b = op == VM_L_NEG ? 0 : lower_use(w, operand(i, 1));
    longdouble_lanes(w, i, op, is_quad(t), detail, x, 0);
    return true;
}

bool lower_longdouble_intrinsic(struct lowering *w, LLVMValueRef call, enum vm_longdouble_op op,
                                unsigned detail, unsigned operands)
{
    LLVMTypeRef t = LLVMTypeOf(operand(call, 0)), r = LLVMTypeOf(call);
    struct vm_insn x = {0};
    uint32_t use[3] = {0};
    if (!lower_is_longdouble(t))
        return false;
    if (op == VM_L_TO_INT && (lower_int_bits(r) == 0 || lower_int_bits(r) > 128))
        return false;
    bool with_int = op == VM_L_FLOAT2 && detail >= VM_LDEXP;
    if (with_int && lanes(t) > 1)
        return false;
    for (unsigned k = 0; k < operands; k++)
        use[k] = lower_use(w, operand(call, k));
    x.a = use[0], x.b = use[1];
    x.w = (uint8_t)(op == VM_L_TO_INT ? lower_int_bits(r)
                    : with_int        ? lower_width(w, LLVMTypeOf(operand(call, 1)))
                                      : 0);
    longdouble_lanes(w, call, op, is_quad(t), detail, x, use[2]);
    return true;
}
