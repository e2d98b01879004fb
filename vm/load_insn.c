/* load_insn.c - instructions, except calls.
 *
 * Aggregates and vectors are as many registers as they have scalars; vector
 * operations are done lane by lane. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "memory.h"

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

static void define_unsupported(struct lowering *w, LLVMValueRef i, LLVMTypeRef t)
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

/* An aggregate that is defined register by register begins as a whole. */
uint32_t lower_begin(struct lowering *w, LLVMValueRef i, uint32_t n)
{
    uint32_t d = lower_result(w, i);
    if (n > 1)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = n});
    return d;
}

/* ---- arithmetic -------------------------------------------------------------------- */

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
        !lower_is_const_int(operand(i, 1), &k) || (shift && (k >= width || flags)))
        return false;
    uint16_t op = form->immediate;
    if (flags & ~(unsigned)VM_CHECKED) {
        if (form->from == LLVMSub && !(flags & VM_NUW) && k != (uint64_t)1 << (width - 1))
            k = (0 - k) & (~0ull >> (64 - width)); /* x - k is x + -k, overflows alike */
        else if (form->from != LLVMAdd || flags & VM_NUW)
            return false;
        op = VM_OP_ADD_NSW_K;
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
        define_unsupported(w, i, t);
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

/* Operand k of a float instruction or constrained intrinsic, half as float. */
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
        define_unsupported(w, i, t);
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
        define_unsupported(w, i, t);
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
    if (lanes(t) == 1 && table[p].immediate &&
        (null || lower_is_const_int(operand(i, 1), &k))) {
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

/* Of a constrained compare: metadata !"olt" */
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

static void lower_fcmp(struct lowering *w, LLVMValueRef i)
{
    LLVMTypeRef t = LLVMTypeOf(operand(i, 0));
    unsigned width = lower_width(w, t);
    if (!width) {
        define_unsupported(w, i, t);
        return;
    }
    uint32_t n = lanes(t), a = use_float(w, i, 0), b = use_float(w, i, 1);
    uint32_t d = lower_begin(w, i, n);
    unsigned predicate =
        LLVMIsACallInst(i) ? named_predicate(operand(i, 2)) : LLVMGetFCmpPredicate(i);
    for (uint32_t k = 0; k < n; k++)
        lower_emit(w, (struct vm_insn){.op = width == 64 ? VM_OP_FCMP64 : VM_OP_FCMP32,
                                       .w = width == 64 ? 64 : 32,
                                       .d = d + k,
                                       .a = a + k,
                                       .b = b + k,
                                       .k = predicate});
}

/* ---- conversions ---------------------------------------------------------------------- */

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

static bool is_bfloat(LLVMTypeRef t)
{
    return LLVMGetTypeKind(scalar_of(t)) == LLVMBFloatTypeKind;
}

uint32_t lower_from_half(struct lowering *w, LLVMTypeRef t, uint32_t a, uint32_t n)
{
    uint32_t d = lower_new(w, n);
    if (n > 1)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = n});
    for (uint32_t k = 0; k < n; k++)
        lower_emit(
            w, (struct vm_insn){
                   .op = VM_OP_FROM_HALF, .w = 16, .d = d + k, .a = a + k, .k = is_bfloat(t)});
    return d;
}

void lower_to_half(struct lowering *w, LLVMTypeRef t, uint32_t d, uint32_t a, unsigned from)
{
    lower_emit(w,
               (struct vm_insn){
                   .op = VM_OP_TO_HALF, .w = (uint8_t)from, .d = d, .a = a, .k = is_bfloat(t)});
}

/* To and from half and bfloat by way of float or double. */
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
    if (op == LLVMBitCast) {
        lower_recast(w, lower_result(w, i), to, lower_use(w, operand(i, 0)), from);
        return;
    }
    if (!wf || !wt) {
        define_unsupported(w, i, wf ? to : from);
        return;
    }
    if (lower_is_half(from) || lower_is_half(to)) {
        half_cast(w, i, op);
        return;
    }
    uint32_t n = lanes(to), a = lower_use(w, operand(i, 0)), d = lower_begin(w, i, n);
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
            x.op = wt < wf ? VM_OP_TRUNC : VM_OP_MOV, x.w = (uint8_t)wt;
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
    if (op == LLVMFCmp)
        lower_fcmp(w, call);
    else if (op >= LLVMFPToUI && op <= LLVMFPExt)
        lower_cast(w, call, op);
    else
        lower_float(w, call, op);
}

/* ---- memory ------------------------------------------------------------------------------ */

/* Calls visit(offset, register, type) for each scalar of a type. */
struct scalars {
    struct lowering *w;
    LLVMValueRef i;
    uint32_t pointer, value;
    unsigned align; /* of the whole access, that the author has promised */
    bool store;
};

/* The bits of an address that must be 0: as much as the author has promised. */
static unsigned alignment_mask(struct lowering *w, unsigned align, uint64_t bytes)
{
    align = align < bytes ? align : (unsigned)bytes;
    bool check = w->user && w->l->load->check_alignment && align && (align & (align - 1)) == 0;
    return check ? align - 1 : 0;
}

static void access_scalar(const struct scalars *s, uint64_t offset, uint32_t reg, LLVMTypeRef t)
{
    static const uint16_t load[] = {0,           VM_OP_LOAD1, VM_OP_LOAD2,
                                    VM_OP_LOADN, VM_OP_LOAD4, VM_OP_LOADN,
                                    VM_OP_LOADN, VM_OP_LOADN, VM_OP_LOAD8};
    static const uint16_t store[] = {0,
                                     VM_OP_STORE1,
                                     VM_OP_STORE2,
                                     VM_OP_STOREN,
                                     VM_OP_STORE4,
                                     VM_OP_STOREN,
                                     VM_OP_STOREN,
                                     VM_OP_STOREN,
                                     VM_OP_STORE8};
    struct lowering *w = s->w;
    unsigned width = lower_width(w, t);
    uint32_t bytes = (uint32_t)LLVMStoreSizeOfType(w->l->layout, t);
    if (!width || bytes > 8) {
        for (uint32_t k = 0; k < load_type_regs(w->l, t); k++) { /* wide values move as words */
            uint32_t n = bytes - 8 * k < 8 ? bytes - 8 * k : 8, bits = lower_int_bits(t);
            bits = bits && bits - 64 * k < 8 * n ? bits - 64 * k : 8 * n;
            unsigned mask = k == 0 ? alignment_mask(w, s->align, 8) : 0;
            lower_emit(w, (struct vm_insn){.op = s->store ? store[n] : load[n],
                                           .w = (uint8_t)bits,
                                           .flags = offset & mask ? 0 : (uint8_t)mask,
                                           .a = s->pointer,
                                           .b = (uint32_t)offset + 8 * k,
                                           .d = s->value + reg + k,
                                           .k = n});
        }
        return;
    }
    unsigned mask = alignment_mask(w, s->align, bytes);
    lower_emit(w, (struct vm_insn){.op = s->store ? store[bytes] : load[bytes],
                                   .w = (uint8_t)width,
                                   .flags = offset & mask ? 0 : (uint8_t)mask,
                                   .a = s->pointer,
                                   .b = (uint32_t)offset,
                                   .d = s->value + reg,
                                   .k = bytes});
}

/* A vector whose elements do not fill their bytes is an integer in memory. */
static void access_packed(const struct scalars *s, uint64_t offset, uint32_t reg, LLVMTypeRef t,
                          LLVMTypeRef packed)
{
    struct scalars one = *s;
    one.value = lower_new(s->w, load_type_regs(s->w->l, packed));
    if (s->store)
        lower_recast(s->w, one.value, packed, s->value + reg, t);
    else if (load_type_regs(s->w->l, packed) > 1)
        lower_emit(s->w, (struct vm_insn){.op = VM_OP_UNDEF,
                                          .d = one.value,
                                          .b = load_type_regs(s->w->l, packed)});
    access_scalar(&one, offset, 0, packed);
    if (!s->store)
        lower_recast(s->w, s->value + reg, t, one.value, packed);
}

static void access_type(const struct scalars *s, uint64_t offset, uint32_t *reg, LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    bool is_struct = kind == LLVMStructTypeKind;
    LLVMTypeRef packed = lower_packed(s->w, t);
    if (packed) {
        access_packed(s, offset, *reg, t, packed);
        *reg += load_type_regs(s->w->l, t);
        return;
    }
    if (!is_struct && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind) {
        access_scalar(s, offset, *reg, t);
        *reg += load_type_regs(s->w->l, t);
        return;
    }
    uint64_t n = is_struct                   ? LLVMCountStructElementTypes(t)
                 : kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(t)
                                             : LLVMGetVectorSize(t);
    for (uint64_t k = 0; k < n; k++) {
        LLVMTypeRef e =
            is_struct ? LLVMStructGetTypeAtIndex(t, (unsigned)k) : LLVMGetElementType(t);
        uint64_t at = is_struct ? LLVMOffsetOfElement(s->w->l->layout, t, (unsigned)k)
                                : k * LLVMABISizeOfType(s->w->l->layout, e);
        access_type(s, offset + at, reg, e);
    }
}

static void note_weak(struct lowering *w, LLVMAtomicOrdering ordering)
{
    struct vm_program *p = w->l->program;
    if (!w->user || p->weak_atomic || ordering == LLVMAtomicOrderingSequentiallyConsistent ||
        ordering == LLVMAtomicOrderingNotAtomic)
        return;
    const struct vm_loc *loc = &((struct vm_loc *)w->l->locs.data)[w->loc];
    char text[512];
    int n = snprintf(text, sizeof text, "%s:%u", loc->file, loc->line);
    p->weak_atomic =
        load_string(w->l, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static bool atomic_size(struct lowering *w, LLVMTypeRef t, uint64_t *bytes)
{
    *bytes = LLVMStoreSizeOfType(w->l->layout, t);
    return lower_width(w, t) && (*bytes == 1 || *bytes == 2 || *bytes == 4 || *bytes == 8);
}

static bool is_scalar(struct lowering *w, LLVMTypeRef t, uint64_t *bytes)
{
    *bytes = LLVMStoreSizeOfType(w->l->layout, t);
    return LLVMGetTypeKind(t) != LLVMVectorTypeKind && lower_width(w, t);
}

static void lower_access(struct lowering *w, LLVMValueRef i, bool store)
{
    LLVMTypeRef t = store ? LLVMTypeOf(operand(i, 0)) : LLVMTypeOf(i);
    uint32_t n = load_type_regs(w->l, t);
    LLVMAtomicOrdering ordering = LLVMGetOrdering(i);
    bool atomic = ordering != LLVMAtomicOrderingNotAtomic;
    uint32_t value = store ? lower_use(w, operand(i, 0)) : 0;
    uint32_t p = lower_use(w, operand(i, store ? 1 : 0));
    if (atomic || LLVMGetVolatile(i)) {
        uint64_t bytes;
        note_weak(w, ordering);
        if (atomic && !atomic_size(w, t, &bytes)) {
            define_unsupported(w, i, t);
            return;
        }
        if (atomic || is_scalar(w, t, &bytes)) {
            uint8_t flags = atomic ? 0 : VM_VOLATILE, width = (uint8_t)lower_width(w, t);
            bytes |= (atomic ? bytes - 1 : alignment_mask(w, LLVMGetAlignment(i), bytes)) << 8;
            if (store)
                lower_emit(w, (struct vm_insn){.op = VM_OP_ASTORE,
                                               .w = width,
                                               .flags = flags,
                                               .a = p,
                                               .b = value,
                                               .k = bytes});
            else
                lower_emit(w, (struct vm_insn){.op = VM_OP_ALOAD,
                                               .w = width,
                                               .flags = flags,
                                               .a = p,
                                               .d = lower_result(w, i),
                                               .k = bytes});
            return;
        }
    }
    if (!store)
        value = lower_begin(w, i, n);
    struct scalars s = {w, i, p, value, LLVMGetAlignment(i), store};
    uint32_t reg = 0;
    access_type(&s, 0, &reg, t);
}

static void lower_rmw(struct lowering *w, LLVMValueRef i)
{
    static const struct {
        LLVMAtomicRMWBinOp from;
        enum vm_rmw op;
    } table[] = {
        {LLVMAtomicRMWBinOpXchg, VM_XCHG},     {LLVMAtomicRMWBinOpAdd, VM_RADD},
        {LLVMAtomicRMWBinOpSub, VM_RSUB},      {LLVMAtomicRMWBinOpAnd, VM_RAND},
        {LLVMAtomicRMWBinOpNand, VM_RNAND},    {LLVMAtomicRMWBinOpOr, VM_ROR},
        {LLVMAtomicRMWBinOpXor, VM_RXOR},      {LLVMAtomicRMWBinOpMax, VM_RMAX},
        {LLVMAtomicRMWBinOpMin, VM_RMIN},      {LLVMAtomicRMWBinOpUMax, VM_RUMAX},
        {LLVMAtomicRMWBinOpUMin, VM_RUMIN},    {LLVMAtomicRMWBinOpFAdd, VM_RFADD},
        {LLVMAtomicRMWBinOpFSub, VM_RFSUB},    {LLVMAtomicRMWBinOpFMax, VM_RFMAX},
        {LLVMAtomicRMWBinOpFMin, VM_RFMIN},    {LLVMAtomicRMWBinOpUIncWrap, VM_RINC},
        {LLVMAtomicRMWBinOpUDecWrap, VM_RDEC},
    };
    uint64_t bytes;
    LLVMTypeRef t = LLVMTypeOf(i);
    note_weak(w, LLVMGetOrdering(i));
    uint32_t p = lower_use(w, operand(i, 0)), v = lower_use(w, operand(i, 1));
    for (size_t k = 0; k < sizeof table / sizeof *table && atomic_size(w, t, &bytes); k++)
        if (table[k].from == LLVMGetAtomicRMWBinOp(i)) {
            lower_emit(w, (struct vm_insn){.op = VM_OP_RMW,
                                           .w = (uint8_t)lower_width(w, t),
                                           .d = lower_result(w, i),
                                           .a = p,
                                           .b = v,
                                           .k = (uint64_t)table[k].op << 8 | bytes});
            return;
        }
    define_unsupported(w, i, t);
}

static void lower_cmpxchg(struct lowering *w, LLVMValueRef i)
{
    uint64_t bytes;
    LLVMTypeRef t = LLVMTypeOf(operand(i, 1));
    note_weak(w, LLVMGetCmpXchgSuccessOrdering(i));
    note_weak(w, LLVMGetCmpXchgFailureOrdering(i));
    uint32_t p = lower_use(w, operand(i, 0)), want = lower_use(w, operand(i, 1)),
             fresh = lower_use(w, operand(i, 2));
    if (!atomic_size(w, t, &bytes)) {
        define_unsupported(w, i, t);
        return;
    }
    lower_emit(w, (struct vm_insn){.op = VM_OP_CMPXCHG,
                                   .w = (uint8_t)lower_width(w, t),
                                   .d = lower_result(w, i),
                                   .a = p,
                                   .b = want,
                                   .k = (uint64_t)fresh << 8 | bytes});
}

static void lower_alloca(struct lowering *w, LLVMValueRef i)
{
    uint64_t size = LLVMABISizeOfType(w->l->layout, LLVMGetAllocatedType(i)), n;
    struct vm_insn x = {.op = VM_OP_ALLOCA, .k = size};
    if (lower_is_const_int(operand(i, 0), &n)) {
        x.k = size * n;
    } else {
        x.flags = 1;
        x.a = lower_use(w, operand(i, 0));
    }
    size_t length;
    const char *name = LLVMGetValueName2(i, &length);
    if (w->user && length) { /* clang calls the copy of a parameter p "p.addr" */
        if (length > 5 && !strcmp(name + length - 5, ".addr"))
            length -= 5;
        const char *copy = load_string(w->l, name, length);
        list_push(&w->l->texts, &copy);
        x.b = (uint32_t)w->l->texts.n;
    }
    x.d = lower_result(w, i);
    lower_emit(w, x);
}

/* All arguments stand in the overflow area, 8 bytes for each register. */
static void lower_va_arg(struct lowering *w, LLVMValueRef i)
{
    LLVMTypeRef t = LLVMTypeOf(i);
    uint32_t list = lower_use(w, operand(i, 0)), p = lower_new(w, 1), next = lower_new(w, 1),
             reg = 0;
    lower_emit(w,
               (struct vm_insn){.op = VM_OP_LOAD8, .w = 64, .d = p, .a = list, .b = 8, .k = 8});
    struct scalars s = {w, i, p, lower_begin(w, i, load_type_regs(w->l, t)), 1, false};
    access_type(&s, 0, &reg, t);
    lower_emit(w,
               (struct vm_insn){
                   .op = VM_OP_PTRADD, .d = next, .a = p, .k = 8ull * load_type_regs(w->l, t)});
    lower_emit(
        w, (struct vm_insn){.op = VM_OP_STORE8, .w = 64, .d = next, .a = list, .b = 8, .k = 8});
}

static void lower_gep(struct lowering *w, LLVMValueRef i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind) {
        lower_vector_gep(w, i);
        return;
    }
    LLVMTypeRef t = LLVMGetGEPSourceElementType(i);
    uint32_t p = lower_use(w, operand(i, 0));
    int64_t offset = 0;
    for (unsigned k = 1; k <= LLVMGetNumIndices(i); k++) {
        LLVMValueRef index = operand(i, k);
        uint64_t c, scale;
        bool constant = lower_is_const_int(index, &c);
        unsigned width = lower_width(w, LLVMTypeOf(index));
        if (k > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            offset += (int64_t)LLVMOffsetOfElement(w->l->layout, t, (unsigned)c);
            t = LLVMStructGetTypeAtIndex(t, (unsigned)c);
            continue;
        }
        if (k > 1)
            t = LLVMGetElementType(t);
        scale = LLVMABISizeOfType(w->l->layout, t);
        if (constant) {
            offset += ((int64_t)(c << (64 - width)) >> (64 - width)) * (int64_t)scale;
            continue;
        }
        uint32_t b = lower_use(w, index), d = lower_new(w, 1);
        bool last = k == LLVMGetNumIndices(i) && offset == (int32_t)offset;
        if (last)
            d = lower_result(w, i);
        lower_emit(w, (struct vm_insn){.op = VM_OP_INDEX,
                                       .w = (uint8_t)width,
                                       .d = d,
                                       .a = p,
                                       .b = b,
                                       .k = scale << 32 | (last ? (uint32_t)offset : 0)});
        p = d;
        if (last)
            return;
    }
    lower_emit(w, (struct vm_insn){.op = offset ? VM_OP_PTRADD : VM_OP_MOV,
                                   .d = lower_result(w, i),
                                   .a = p,
                                   .k = (uint64_t)offset});
}

void lower_instruction(struct lowering *w, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (lower_wide(w, i))
        return;
    switch ((int)op) {
    case LLVMRet: lower_ret(w, i); break;
    case LLVMBr: lower_br(w, i); break;
    case LLVMSwitch: lower_switch(w, i); break;
    case LLVMIndirectBr: lower_indirect(w, i); break;
    case LLVMUnreachable: lower_emit(w, (struct vm_insn){.op = VM_OP_UNREACHABLE}); break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: lower_arith(w, i, op); break;
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMFNeg: lower_float(w, i, op); break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast: lower_cast(w, i, op); break;
    case LLVMICmp: lower_icmp(w, i); break;
    case LLVMFCmp: lower_fcmp(w, i); break;
    case LLVMAlloca: lower_alloca(w, i); break;
    case LLVMLoad: lower_access(w, i, false); break;
    case LLVMStore: lower_access(w, i, true); break;
    case LLVMGetElementPtr: lower_gep(w, i); break;
    case LLVMFence: lower_emit(w, (struct vm_insn){.op = VM_OP_FENCE}); break;
    case LLVMAtomicCmpXchg: lower_cmpxchg(w, i); break;
    case LLVMAtomicRMW: lower_rmw(w, i); break;
    case LLVMCall:
    case LLVMInvoke: lower_call(w, i); break;
    case LLVMSelect: lower_select(w, i); break;
    case LLVMExtractElement: lower_element(w, i, false); break;
    case LLVMInsertElement: lower_element(w, i, true); break;
    case LLVMShuffleVector: lower_shuffle(w, i); break;
    case LLVMExtractValue: lower_extract(w, i); break;
    case LLVMInsertValue: lower_insert(w, i); break;
    case LLVMFreeze: lower_freeze(w, i); break;
    case LLVMVAArg: lower_va_arg(w, i); break;
    case LLVMLandingPad: break; /* the unwinder has written it */
    case LLVMResume: lower_resume(w, i); break;
    default: {
        uint32_t n = load_type_regs(w->l, LLVMTypeOf(i));
        char text[64];
        snprintf(text, sizeof text, "the instruction with LLVM opcode %d", (int)op);
        lower_unsupported(w,
                          op == LLVMCallBr       ? "asm goto"
                          : op == LLVMLandingPad ? "landingpad"
                          : op == LLVMResume     ? "resume"
                                                 : text,
                          false);
        if (n)
            lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = lower_result(w, i), .b = n});
        if (LLVMIsATerminatorInst(i))
            lower_emit(w, (struct vm_insn){.op = VM_OP_UNREACHABLE});
        break;
    }
    }
}
