/* load_insn.c - instructions, except calls.
 *
 * Aggregates and vectors are as many registers as they have scalars; vector
 * operations are done lane by lane. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_flow.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lower/load_memory.h"
#include "vm/load/lower/load_vector.h"
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

unsigned lower_width(struct lowering *w, LLVMTypeRef t)
{
    (void)w;
    t = scalar_of(t);
    switch ((int)LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(t) <= 64 ? LLVMGetIntTypeWidth(t) : 0;
    case LLVMPointerTypeKind:
    case LLVMDoubleTypeKind: return 64;
    case LLVMFloatTypeKind: return 32;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: return 16;
    default: return 0;
    }
}

void lower_refuse(struct lowering *w, LLVMTypeRef t)
{
    char *name = LLVMPrintTypeToString(t), text[256];
    snprintf(text, sizeof text, "an operation on type %s", name);
    lower_unsupported(w, text, false);
    LLVMDisposeMessage(name);
}

void lower_no_result(struct lowering *w, LLVMValueRef i, LLVMTypeRef t)
{
    lower_refuse(w, t);
    uint32_t n = load_type_regs(w->l, LLVMTypeOf(i));
    if (n)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = lower_result(w, i), .b = n});
}

static uint32_t lanes(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

/* Emits the beginning of an aggregate that is defined register by register: from there on it is
 * live as a whole. */
uint32_t lower_begin(struct lowering *w, LLVMValueRef i, uint32_t n)
{
    uint32_t d = lower_result(w, i);
    if (n > 1)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = n});
    return d;
}

/* ---- arithmetic ------------------------------------------------------------------ */

bool lower_as_written(struct lowering *w)
{
    return w->user && (w->l->load->as_written || w->optnone);
}

unsigned lower_arith_flags(struct lowering *w, LLVMValueRef i, LLVMOpcode op)
{
    unsigned flags = 0;
    if (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl)
        flags = (LLVMGetNSW(i) ? VM_NSW : 0) | (LLVMGetNUW(i) ? VM_NUW : 0);
    else if (op == LLVMUDiv || op == LLVMSDiv || op == LLVMLShr || op == LLVMAShr)
        flags = LLVMGetExact(i) ? VM_EXACT : 0;
    else if (op == LLVMOr)
        flags = LLVMGetIsDisjoint(i) ? VM_DISJOINT : 0;
    bool shift = op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
    if (lower_as_written(w) && w->l->load->check_overflow && (shift || flags & VM_NSW))
        flags |= VM_CHECKED;
    return flags;
}

struct form {
    LLVMOpcode from;
    uint16_t plain, flagged, immediate;
};

static const struct form forms[] = {
    {LLVMAdd, VM_OP_ADD, VM_OP_ADD_F, VM_OP_ADD_K},
    {LLVMSub, VM_OP_SUB, VM_OP_SUB_F, VM_OP_SUB_K},
    {LLVMMul, VM_OP_MUL, VM_OP_MUL_F, VM_OP_MUL_K},
    {LLVMUDiv, VM_OP_UDIV, VM_OP_UDIV_F, 0},
    {LLVMSDiv, VM_OP_SDIV, VM_OP_SDIV_F, 0},
    {LLVMURem, VM_OP_UREM, VM_OP_UREM, 0},
    {LLVMSRem, VM_OP_SREM, VM_OP_SREM, 0},
    {LLVMShl, VM_OP_SHL, VM_OP_SHL_F, VM_OP_SHL_K},
    {LLVMLShr, VM_OP_LSHR, VM_OP_LSHR_F, VM_OP_LSHR_K},
    {LLVMAShr, VM_OP_ASHR, VM_OP_ASHR_F, VM_OP_ASHR_K},
    {LLVMAnd, VM_OP_AND, VM_OP_AND, VM_OP_AND_K},
    {LLVMOr, VM_OP_OR, VM_OP_OR_F, VM_OP_OR_K},
    {LLVMXor, VM_OP_XOR, VM_OP_XOR, VM_OP_XOR_K},
};

static const struct form *form_of(LLVMOpcode op)
{
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (forms[k].from == op)
            return &forms[k];
    return NULL;
}

static bool lower_immediate(struct lowering *w, LLVMValueRef i, const struct form *form,
                            unsigned flags, unsigned width)
{
    uint64_t k;
    bool shift = form->from == LLVMShl || form->from == LLVMLShr || form->from == LLVMAShr;
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind || !form->immediate ||
        !load_is_const_int(operand(i, 1), &k) || (shift && (k >= width || flags)))
        return false;
    uint16_t op = form->immediate;
    if (flags & ~(unsigned)VM_CHECKED) {
        op = form->from == LLVMMul ? VM_OP_MUL_NSW_K : VM_OP_ADD_NSW_K;
        if (form->from == LLVMSub && !(flags & VM_NUW) && k != (uint64_t)1 << (width - 1))
            k = (0 - k) & (~0ull >> (64 - width)); /* x - k is x + -k, overflows alike */
        else if ((form->from != LLVMAdd && form->from != LLVMMul) || flags & VM_NUW)
            return false;
    }
    uint32_t a = lower_use(w, operand(i, 0));
    lower_emit(w, (struct vm_insn){.op = op,
                                   .w = (uint8_t)width,
                                   .flags = (uint8_t)flags,
                                   .d = lower_result(w, i),
                                   .a = a,
                                   .k = k});
    return true;
}

static void lower_arith(struct lowering *w, LLVMValueRef i, LLVMOpcode opcode)
{
    const struct form *form = form_of(opcode);
    LLVMTypeRef t = LLVMTypeOf(i);
    unsigned width = lower_width(w, t), flags = lower_arith_flags(w, i, opcode);
    if (!width) {
        lower_no_result(w, i, t);
        return;
    }
    if (lower_immediate(w, i, form, flags & ~(unsigned)(flags == VM_CHECKED ? VM_CHECKED : 0),
                        width))
        return;
    uint32_t n = lanes(t), a = lower_use(w, operand(i, 0)), b = lower_use(w, operand(i, 1));
    uint32_t d = lower_begin(w, i, n);
    for (uint32_t k = 0; k < n; k++)
        lower_emit(w, (struct vm_insn){.op = flags & 15 ? form->flagged : form->plain,
                                       .w = (uint8_t)width,
                                       .flags = (uint8_t)flags,
                                       .d = d + k,
                                       .a = a + k,
                                       .b = b + k});
}

/* Returns operand k of a float instruction or constrained intrinsic; half as float. */
static uint32_t use_float(struct lowering *w, LLVMValueRef i, unsigned k)
{
    LLVMTypeRef t = LLVMTypeOf(operand(i, k));
    uint32_t a = lower_use(w, operand(i, k));
    return lower_is_half(t) ? lower_from_half(w, t, a, lanes(t)) : a;
}

static void lower_float(struct lowering *w, LLVMValueRef i, LLVMOpcode opcode)
{
    LLVMTypeRef t = LLVMTypeOf(i);
    unsigned width = lower_width(w, t);
    bool half = lower_is_half(t) && opcode != LLVMFNeg;
    if (!width) {
        lower_no_result(w, i, t);
        return;
    }
    uint16_t base = opcode == LLVMFAdd   ? VM_OP_FADD32
                    : opcode == LLVMFSub ? VM_OP_FSUB32
                    : opcode == LLVMFMul ? VM_OP_FMUL32
                    : opcode == LLVMFDiv ? VM_OP_FDIV32
                                         : VM_OP_FREM32;
    uint32_t n = lanes(t), a = half ? use_float(w, i, 0) : lower_use(w, operand(i, 0));
    uint32_t b = opcode == LLVMFNeg ? 0 : use_float(w, i, 1), d = lower_begin(w, i, n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t r = half ? lower_new(w, 1) : d + k;
        if (opcode == LLVMFNeg)
            lower_emit(w, (struct vm_insn){
                              .op = VM_OP_FNEG, .w = (uint8_t)width, .d = d + k, .a = a + k});
        else
            lower_emit(
                w, (struct vm_insn){
                       .op = (uint16_t)(base + (width == 64 ? VM_OP_FADD64 - VM_OP_FADD32 : 0)),
                       .w = (uint8_t)(half ? 32 : width),
                       .d = r,
                       .a = a + k,
                       .b = b + k});
        if (half)
            lower_to_half(w, t, d + k, r, 32);
    }
}

static void lower_icmp(struct lowering *w, LLVMValueRef i)
{
    LLVMTypeRef t = LLVMTypeOf(operand(i, 0));
    unsigned width = lower_width(w, t);
    if (!width) {
        lower_no_result(w, i, t);
        return;
    }
    static const struct {
        uint16_t op;
        bool swap;
        uint16_t immediate;
    } table[] = {
        [LLVMIntEQ - 32] = {VM_OP_EQ, 0, VM_OP_EQ_K},
        [LLVMIntNE - 32] = {VM_OP_NE, 0, VM_OP_NE_K},
        [LLVMIntUGT - 32] = {VM_OP_ULT, 1, VM_OP_UGT_K},
        [LLVMIntUGE - 32] = {VM_OP_ULE, 1, 0},
        [LLVMIntULT - 32] = {VM_OP_ULT, 0, VM_OP_ULT_K},
        [LLVMIntULE - 32] = {VM_OP_ULE, 0, 0},
        [LLVMIntSGT - 32] = {VM_OP_SLT, 1, VM_OP_SGT_K},
        [LLVMIntSGE - 32] = {VM_OP_SLE, 1, 0},
        [LLVMIntSLT - 32] = {VM_OP_SLT, 0, VM_OP_SLT_K},
        [LLVMIntSLE - 32] = {VM_OP_SLE, 0, 0},
    };
    unsigned p = LLVMGetICmpPredicate(i) - 32;
    uint64_t k;
    bool null = LLVMIsAConstantPointerNull(operand(i, 1));
    if (lanes(t) == 1 && table[p].immediate && (null || load_is_const_int(operand(i, 1), &k))) {
        uint32_t a = lower_use(w, operand(i, 0));
        lower_emit(w, (struct vm_insn){.op = table[p].immediate,
                                       .w = (uint8_t)width,
                                       .d = lower_result(w, i),
                                       .a = a,
                                       .k = null ? 0 : k});
        return;
    }
    uint32_t n = lanes(t), a = lower_use(w, operand(i, 0)), b = lower_use(w, operand(i, 1));
    uint32_t d = lower_begin(w, i, n);
    for (uint32_t x = 0; x < n; x++)
        lower_emit(w, (struct vm_insn){.op = table[p].op,
                                       .w = (uint8_t)width,
                                       .d = d + x,
                                       .a = (table[p].swap ? b : a) + x,
                                       .b = (table[p].swap ? a : b) + x});
}

/* Returns the predicate of a constrained compare: metadata !"olt". */
static unsigned named_predicate(LLVMValueRef v)
{
    static const char *const names[] = {"false", "oeq", "ogt", "oge", "olt", "ole",
                                        "one",   "ord", "uno", "ueq", "ugt", "uge",
                                        "ult",   "ule", "une", "true"};
    char *text = LLVMPrintValueToString(v);
    unsigned p = 0;
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        char quoted[16];
        snprintf(quoted, sizeof quoted, "\"%s\"", names[k]);
        if (strstr(text, quoted))
            p = k;
    }
    LLVMDisposeMessage(text);
    return p;
}

unsigned lower_float_predicate(LLVMValueRef i)
{
    return LLVMIsACallInst(i) ? named_predicate(operand(i, 2)) : LLVMGetFCmpPredicate(i);
}

static void lower_fcmp(struct lowering *w, LLVMValueRef i)
{
    LLVMTypeRef t = LLVMTypeOf(operand(i, 0));
    unsigned width = lower_width(w, t);
    if (!width) {
        lower_no_result(w, i, t);
        return;
    }
    uint32_t n = lanes(t), a = use_float(w, i, 0), b = use_float(w, i, 1);
    uint32_t d = lower_begin(w, i, n);
    unsigned predicate = lower_float_predicate(i);
    for (uint32_t k = 0; k < n; k++)
        lower_emit(w, (struct vm_insn){.op = width == 64 ? VM_OP_FCMP64 : VM_OP_FCMP32,
                                       .w = width == 64 ? 64 : 32,
                                       .d = d + k,
                                       .a = a + k,
                                       .b = b + k,
                                       .k = predicate});
}

/* ---- conversions ----------------------------------------------------------------- */

static uint16_t float_cast(LLVMOpcode op, bool from64, bool to64)
{
    switch ((int)op) {
    case LLVMFPToSI: return from64 ? VM_OP_F64_TO_SI : VM_OP_F32_TO_SI;
    case LLVMFPToUI: return from64 ? VM_OP_F64_TO_UI : VM_OP_F32_TO_UI;
    case LLVMSIToFP: return to64 ? VM_OP_SI_TO_F64 : VM_OP_SI_TO_F32;
    case LLVMUIToFP: return to64 ? VM_OP_UI_TO_F64 : VM_OP_UI_TO_F32;
    case LLVMFPTrunc: return VM_OP_FPTRUNC;
    default: return VM_OP_FPEXT;
    }
}

bool lower_is_half(LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(scalar_of(t));
    return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind;
}

bool lower_is_bfloat(LLVMTypeRef t)
{
    return LLVMGetTypeKind(scalar_of(t)) == LLVMBFloatTypeKind;
}

uint32_t lower_from_half(struct lowering *w, LLVMTypeRef t, uint32_t a, uint32_t n)
{
    uint32_t d = lower_new(w, n);
    if (n > 1)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = n});
    for (uint32_t k = 0; k < n; k++)
        lower_emit(w, (struct vm_insn){.op = VM_OP_FROM_HALF,
                                       .w = 16,
                                       .d = d + k,
                                       .a = a + k,
                                       .k = lower_is_bfloat(t)});
    return d;
}

void lower_to_half(struct lowering *w, LLVMTypeRef t, uint32_t d, uint32_t a, unsigned from)
{
    lower_emit(
        w,
        (struct vm_insn){
            .op = VM_OP_TO_HALF, .w = (uint8_t)from, .d = d, .a = a, .k = lower_is_bfloat(t)});
}

/* Converts to and from half and bfloat by way of float or double. */
static void half_cast(struct lowering *w, LLVMValueRef i, LLVMOpcode op)
{
    LLVMTypeRef from = LLVMTypeOf(operand(i, 0)), to = LLVMTypeOf(i);
    bool is_half = lower_is_half(from), to_int = op == LLVMFPToSI || op == LLVMFPToUI;
    unsigned wf = lower_width(w, from), wt = lower_width(w, to);
    uint32_t n = lanes(to), a = use_float(w, i, 0), d = lower_begin(w, i, n);
    for (uint32_t k = 0; k < n; k++) {
        struct vm_insn x = {.op = VM_OP_MOV, .d = d + k, .a = a + k};
        if (to_int)
            x.op = float_cast(op, false, false), x.w = (uint8_t)wt,
            x.flags = lower_as_written(w) ? VM_CHECKED : 0;
        else if (op == LLVMSIToFP || op == LLVMUIToFP)
            x.op = float_cast(op, false, true), x.w = (uint8_t)wf, x.d = lower_new(w, 1),
            wf = 64;
        else if (is_half && wt == 64)
            x.op = VM_OP_FPEXT;
        if (x.op != VM_OP_MOV || is_half)
            lower_emit(w, x);
        if (lower_is_half(to))
            lower_to_half(w, to, d + k, x.op == VM_OP_MOV ? a + k : x.d, is_half ? 32 : wf);
        wf = lower_width(w, from);
    }
}

static void lower_cast(struct lowering *w, LLVMValueRef i, LLVMOpcode op)
{
    LLVMTypeRef from = LLVMTypeOf(operand(i, 0)), to = LLVMTypeOf(i);
    unsigned wf = lower_width(w, from), wt = lower_width(w, to);
    if (!wf || !wt) {
        lower_no_result(w, i, wf ? to : from);
        return;
    }
    if (lower_is_half(from) || lower_is_half(to)) {
        half_cast(w, i, op);
        return;
    }
    uint32_t n = lanes(to), a = lower_use(w, operand(i, 0)), d = lower_begin(w, i, n);
    unsigned flags =
        op == LLVMTrunc ? (LLVMGetNSW(i) ? VM_NSW : 0) | (LLVMGetNUW(i) ? VM_NUW : 0) : 0;
    bool nneg = (op == LLVMZExt || op == LLVMUIToFP) && !LLVMIsACallInst(i) && LLVMGetNNeg(i);
    for (uint32_t k = 0; k < n; k++) {
        struct vm_insn x = {.op = VM_OP_MOV, .d = d + k, .a = a + k};
        if (nneg) {
            x = (struct vm_insn){.op = VM_OP_NNEG,
                                 .w = (uint8_t)wf,
                                 .d = op == LLVMZExt ? d + k : lower_new(w, 1),
                                 .a = a + k,
                                 .b = wt};
            lower_emit(w, x);
            x.a = x.d, x.d = d + k;
            if (op == LLVMZExt)
                continue;
        }
        if (op == LLVMTrunc || op == LLVMPtrToInt || op == LLVMIntToPtr)
            x.op = wt >= wf ? VM_OP_MOV
                   : flags  ? VM_OP_TRUNC_F
                            : VM_OP_TRUNC,
            x.w = (uint8_t)wt, x.b = wf, x.flags = (uint8_t)flags;
        else if (op == LLVMZExt &&
                 LLVMIsUndef(operand(i, 0))) /* the new bits are 0 all the same */
            x.op = VM_OP_TRUNC, x.w = (uint8_t)wf;
        else if (op == LLVMSExt)
            x.op = VM_OP_SEXT, x.w = (uint8_t)wf, x.b = wt;
        else if (op == LLVMFPToSI || op == LLVMFPToUI)
            x.op = float_cast(op, wf == 64, false), x.w = (uint8_t)wt,
            x.flags = lower_as_written(w) ? VM_CHECKED : 0;
        else if (op == LLVMSIToFP || op == LLVMUIToFP)
            x.op = float_cast(op, false, wt == 64), x.w = (uint8_t)wf;
        else if (op == LLVMFPTrunc || op == LLVMFPExt)
            x.op = float_cast(op, wf == 64, wt == 64);
        lower_emit(w, x);
    }
}

void lower_float_op(struct lowering *w, LLVMValueRef call, LLVMOpcode op)
{
    if (lower_longdouble(w, call, op))
        return;
    if (op == LLVMFCmp)
        lower_fcmp(w, call);
    else if (op >= LLVMFPToUI && op <= LLVMFPExt)
        lower_cast(w, call, op);
    else
        lower_float(w, call, op);
}

static void lower_bitcast(struct lowering *w, LLVMValueRef i)
{
    LLVMValueRef from = operand(i, 0);
    lower_recast(w, lower_result(w, i), LLVMTypeOf(i), lower_use(w, from), LLVMTypeOf(from));
}

static void lower_unreachable(struct lowering *w)
{
    lower_emit(w, (struct vm_insn){.op = VM_OP_UNREACHABLE});
}

const char *load_opcode_name(LLVMOpcode op)
{
    switch ((int)op) {
#define VM_OPCODE(id, name, lower, what, faults) \
    case LLVM##id: return name;
#include "vm/opcode.def"
    default: return "unknown";
    }
}

static void lower_refused(struct lowering *w, LLVMValueRef i, LLVMOpcode op)
{
    uint32_t n = load_type_regs(w->l, LLVMTypeOf(i));
    char text[64];
    snprintf(text, sizeof text, "the instruction %s", load_opcode_name(op));
    lower_unsupported(w, text, false);
    if (n)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = lower_result(w, i), .b = n});
    if (LLVMIsATerminatorInst(i))
        lower_unreachable(w);
}

void lower_instruction(struct lowering *w, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (lower_apint(w, i) || lower_longdouble(w, i, op))
        return;
    switch ((int)op) {
#define VM_OPCODE(id, name, lower, what, faults) \
    case LLVM##id: lower; break;
#include "vm/opcode.def"
    default: lower_refused(w, i, op); break;
    }
}
