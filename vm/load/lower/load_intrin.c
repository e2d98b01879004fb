/* load_intrin.c - calls of intrinsics: the table intrinsic.def, shape by shape.  Vectors are
 * done lane by lane, half and bfloat as floats, integers of more than 64 bits by the
 * instruction APINT.
 *
 * Vectors are done lane by lane, half and bfloat as floats, integers of more than
 * 64 bits by the instruction WIDE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/exec/apint.h"
#include "vm/exec/longdouble.h"
#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_flow.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lower/load_memory.h"
#include "vm/load/lower/load_wide.h"
#include "vm/load/lowering.h"

enum shape {
    IGNORE,
    FIRST,
    ZERO,
    BLOCK,
    TWO,
    ONE,
    WITH_OVERFLOW,
    FLOATS1,
    FLOATS2,
    FMADD,
    FUNNEL,
    ROUNDED,
    EXACT,
    FRACTION,
    CLASS,
    SATURATED,
    REDUCE,
    REDUCE_FROM,
    SHUFFLE,
    MASKED,
    FIXED,
    SPECIAL,
    MARK,
};

struct intrinsic {
    const char *name;
    enum shape shape;
    uint16_t op;
    uint32_t k;
};

static const struct intrinsic intrinsics[] = {
#define VM_INTRINSIC(name, shape, op, k, faults) {name, shape, op, k},
#include "vm/intrinsic.def"
};

static LLVMValueRef arg(LLVMValueRef call, unsigned k)
{
    return LLVMGetOperand(call, k);
}

static LLVMTypeRef arg_type(LLVMValueRef call, unsigned k)
{
    return LLVMTypeOf(arg(call, k));
}

static bool is_vector(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind;
}

static uint32_t lanes(LLVMTypeRef t)
{
    return is_vector(t) ? LLVMGetVectorSize(t) : 1;
}

static void refuse(struct lowering *w, LLVMValueRef call, const char *name)
{
    char text[256];
    uint32_t n = load_type_regs(w->l, LLVMTypeOf(call));
    snprintf(text, sizeof text, "the intrinsic llvm.%s", name);
    lower_unsupported(w, text, false);
    if (n)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = lower_result(w, call), .b = n});
}

/* Begins a vector whose lanes are put into new registers one by one; all are moved to the
 * result at the end. */
static uint32_t begin(struct lowering *w, LLVMValueRef call, uint32_t n)
{
    if (n == 1)
        return lower_result(w, call);
    uint32_t d = lower_new(w, n);
    lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = n});
    return d;
}

static void end(struct lowering *w, LLVMValueRef call, uint32_t d, uint32_t n)
{
    if (n > 1)
        lower_emit(
            w, (struct vm_insn){.op = VM_OP_MOVN, .d = lower_result(w, call), .a = d, .b = n});
}

/* ---- lanes ----------------------------------------------------------------------- */

/* Returns the flag for an intrinsic whose constant operand makes the least number, or 0,
 * poison. */
static unsigned poison_flag(LLVMValueRef call, const struct intrinsic *in)
{
    uint64_t flag = 0;
    bool has =
        in->op == VM_OP_INT1 && (in->k == VM_ABS || in->k == VM_CTLZ || in->k == VM_CTTZ);
    return has && load_is_const_int(arg(call, 1), &flag) && flag ? VM_NSW : 0;
}

static bool apint_op(const struct intrinsic *in, enum vm_apint_op *op)
{
    switch (in->shape) {
    case TWO: *op = (enum vm_apint_op)(VM_W_SMIN + in->k); return in->k <= VM_USUB_SAT;
    case ONE:
        *op = in->k == VM_ABS ? VM_W_ABS : (enum vm_apint_op)(VM_W_CTPOP + in->k);
        return true;
    case WITH_OVERFLOW: *op = (enum vm_apint_op)(VM_W_SADD_O + in->k); return true;
    case FUNNEL: *op = in->k ? VM_W_FSHL : VM_W_FSHR; return true;
    case EXACT: *op = (enum vm_apint_op)in->k; return true;
    case IGNORE:
    case FIRST:
    case ZERO:
    case BLOCK:
    case FLOATS1:
    case FLOATS2:
    case FMADD:
    case ROUNDED:
    case FRACTION:
    case CLASS:
    case SATURATED:
    case REDUCE:
    case REDUCE_FROM:
    case SHUFFLE:
    case MASKED:
    case FIXED:
    case SPECIAL:
    case MARK: return false;
    }
    return false;
}

static unsigned operands(const struct intrinsic *in)
{
    return in->shape == FMADD || in->shape == FUNNEL ? 3
           : in->shape == TWO || in->shape == FLOATS2 || in->shape == EXACT ||
                   in->shape == WITH_OVERFLOW
               ? 2
               : 1;
}

static void apint_lanes(struct lowering *w, LLVMValueRef call, const struct intrinsic *in)
{
    enum vm_apint_op op;
    uint32_t use[3] = {0};
    LLVMTypeRef t = arg_type(call, 0);
    if (!apint_op(in, &op) || !lower_int_bits(t) || lower_int_bits(t) > VM_APINT_BITS ||
        (in->shape == WITH_OVERFLOW && is_vector(t))) {
        refuse(w, call, in->name);
        return;
    }
    for (unsigned k = 0; k < operands(in); k++)
        use[k] = lower_use(w, arg(call, k));
    lower_apint_lanes(w, call, op, poison_flag(call, in), t,
                      in->shape == WITH_OVERFLOW ? t : LLVMTypeOf(call), use);
}

static void each_lane(struct lowering *w, LLVMValueRef call, const struct intrinsic *in)
{
    LLVMTypeRef t = LLVMTypeOf(call);
    uint32_t n = load_type_regs(w->l, t), use[3] = {0};
    unsigned width = lower_width(w, t), flags = poison_flag(call, in), nuse = operands(in);
    bool half = lower_is_half(t), with_int = in->op == VM_OP_FLOAT2 && in->k >= VM_LDEXP;
    if (!width) {
        refuse(w, call, in->name);
        return;
    }
    for (unsigned k = 0; k < nuse; k++) {
        use[k] = lower_use(w, arg(call, k));
        if (half && lower_is_half(arg_type(call, k)))
            use[k] = lower_from_half(w, t, use[k], n);
    }
    if (with_int)
        flags = lower_width(w, arg_type(call, 1));
    uint32_t d = begin(w, call, n), step = nuse > 1 && is_vector(arg_type(call, 1));
    for (uint32_t k = 0; k < n; k++) {
        struct vm_insn x = {.op = in->op,
                            .w = (uint8_t)(half ? 32 : width),
                            .flags = (uint8_t)flags,
                            .d = half ? lower_new(w, 1) : d + k,
                            .a = use[0] + k,
                            .b = use[1] + k * step,
                            .k = in->k};
        if (in->shape == FMADD)
            x.k = use[2] + k;
        else if (in->shape == FUNNEL)
            x.k = (uint64_t)(use[2] + k) << 1 | in->k;
        lower_emit(w, x);
        if (half)
            lower_to_half(w, t, d + k, x.d, 32);
    }
    end(w, call, d, n);
}

/* Lowers an intrinsic whose result is { results, overflows }, of vectors too. */
static void with_overflow(struct lowering *w, LLVMValueRef call, const struct intrinsic *in)
{
    LLVMTypeRef t = arg_type(call, 0);
    uint32_t n = lanes(t), a = lower_use(w, arg(call, 0)), b = lower_use(w, arg(call, 1));
    struct vm_insn x = {
        .op = VM_OP_OVERFLOW, .w = (uint8_t)lower_width(w, t), .a = a, .b = b, .k = in->k};
    if (n == 1) {
        x.d = lower_result(w, call);
        lower_emit(w, x);
        return;
    }
    uint32_t d = begin(w, call, 2 * n);
    for (uint32_t k = 0; k < n; k++, x.a++, x.b++) {
        x.d = lower_new(w, 2);
        lower_emit(w, x);
        lower_emit(w, (struct vm_insn){.op = VM_OP_MOV, .d = d + k, .a = x.d});
        lower_emit(w, (struct vm_insn){.op = VM_OP_MOV, .d = d + n + k, .a = x.d + 1});
    }
    end(w, call, d, 2 * n);
}

/* Lowers classes, fractions and saturating conversions of float and double. */
static void float_lanes(struct lowering *w, LLVMValueRef call, const struct intrinsic *in)
{
    LLVMTypeRef t = arg_type(call, 0), r = LLVMTypeOf(call);
    bool fraction = in->shape == FRACTION;
    unsigned width = lower_width(w, t), out = 1;
    uint64_t k = in->k;
    uint32_t n = lanes(t), a = lower_use(w, arg(call, 0));
    if (fraction)
        out = lower_width(w, LLVMStructGetTypeAtIndex(r, 1));
    else if (in->shape == SATURATED)
        out = lower_width(w, r);
    if (!width || !out || (lower_is_half(t) && fraction) ||
        (in->shape == CLASS && !load_is_const_int(arg(call, 1), &k))) {
        refuse(w, call, in->name);
        return;
    }
    if (lower_is_half(t) && in->shape == SATURATED)
        a = lower_from_half(w, t, a, n), width = 32;
    bool upper = in->shape == CLASS && lower_is_half(t) && lower_is_bfloat(t);
    uint32_t regs = n * (fraction ? 2 : 1), d = begin(w, call, regs);
    for (uint32_t at = 0; at < n; at++) {
        struct vm_insn x = {
            .op = in->op, .w = (uint8_t)width, .d = d + at, .a = a + at, .b = out, .k = k};
        if (fraction && n > 1)
            x.d = lower_new(w, 2);
        if (upper) { /* a bfloat is the upper half of a float of the same class */
            x.a = lower_new(w, 1), x.w = 32;
            lower_emit(w, (struct vm_insn){
                              .op = VM_OP_SHL_K, .w = 32, .d = x.a, .a = a + at, .k = 16});
        }
        lower_emit(w, x);
        if (fraction && n > 1) {
            lower_emit(w, (struct vm_insn){.op = VM_OP_MOV, .d = d + at, .a = x.d});
            lower_emit(w, (struct vm_insn){.op = VM_OP_MOV, .d = d + n + at, .a = x.d + 1});
        }
    }
    end(w, call, d, regs);
}

/* ---- vectors --------------------------------------------------------------------- */

/* Reduces a vector of integers of more than 64 bits. */
static void reduce_apint(struct lowering *w, LLVMValueRef call, const struct intrinsic *in)
{
    LLVMTypeRef t = arg_type(call, 0);
    unsigned bits = lower_int_bits(t);
    enum vm_apint_op op = in->op == VM_OP_INT2  ? (enum vm_apint_op)(VM_W_SMIN + in->k)
                          : in->op == VM_OP_ADD ? VM_W_ADD
                          : in->op == VM_OP_MUL ? VM_W_MUL
                          : in->op == VM_OP_AND ? VM_W_AND
                          : in->op == VM_OP_OR  ? VM_W_OR
                                                : VM_W_XOR;
    uint32_t each = vm_apint_words(bits), a = lower_use(w, arg(call, 0)), acc = a;
    for (uint32_t k = 1; k < lanes(t); k++) {
        uint32_t d = lower_new(w, each);
        lower_emit(w, (struct vm_insn){.op = VM_OP_APINT,
                                       .d = d,
                                       .a = acc,
                                       .b = a + k * each,
                                       .k = vm_apint_encode(op, bits, bits, 0)});
        acc = d;
    }
    lower_emit(
        w, (struct vm_insn){.op = VM_OP_MOVN, .d = lower_result(w, call), .a = acc, .b = each});
}

/* Rounds a half or bfloat that is kept as a float; a reduction does so at each step. */
static uint32_t rounded_to_half(struct lowering *w, LLVMTypeRef t, uint32_t a)
{
    uint32_t half = lower_new(w, 1);
    lower_to_half(w, t, half, a, 32);
    return lower_from_half(w, t, half, 1);
}

/* Reduces a vector from its first lane, or from a start value, to the last, in order. */
static void reduce(struct lowering *w, LLVMValueRef call, const struct intrinsic *in)
{
    bool from = in->shape == REDUCE_FROM;
    LLVMTypeRef t = arg_type(call, from ? 1 : 0);
    unsigned width = lower_width(w, t);
    bool half = lower_is_half(t);
    if (lower_is_apint(t) && !from) {
        reduce_apint(w, call, in);
        return;
    }
    if (!width) {
        refuse(w, call, in->name);
        return;
    }
    uint32_t a = lower_use(w, arg(call, from ? 1 : 0)),
             acc = from ? lower_use(w, arg(call, 0)) : a;
    if (half) {
        a = lower_from_half(w, t, a, lanes(t));
        acc = from ? lower_from_half(w, t, acc, 1) : a;
        width = 32;
    }
    uint16_t op = from && width == 64 ? in->op - VM_OP_FADD32 + VM_OP_FADD64 : in->op;
    for (uint32_t k = from ? 0 : 1; k < lanes(t); k++) {
        uint32_t d = lower_new(w, 1);
        lower_emit(
            w, (struct vm_insn){
                   .op = op, .w = (uint8_t)width, .d = d, .a = acc, .b = a + k, .k = in->k});
        acc = half ? rounded_to_half(w, t, d) : d;
    }
    if (half)
        lower_to_half(w, t, lower_result(w, call), acc, 32);
    else
        lower_emit(w, (struct vm_insn){.op = VM_OP_MOV, .d = lower_result(w, call), .a = acc});
}

static void shuffle(struct lowering *w, LLVMValueRef call, const struct intrinsic *in)
{
    enum { REVERSE, EXTRACT, INSERT, STEP };
    LLVMTypeRef t = LLVMTypeOf(call);
    uint32_t n = load_type_regs(w->l, t), count = lanes(t), each = n / count;
    uint64_t at = 0;
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind ||
        ((in->k == EXTRACT || in->k == INSERT) && !load_is_const_int(arg(call, in->k), &at))) {
        refuse(w, call, in->name);
        return;
    }
    uint32_t a = in->k == STEP ? 0 : lower_use(w, arg(call, 0)), d = begin(w, call, n);
    uint32_t b = in->k == INSERT ? lower_use(w, arg(call, 1)) : 0,
             nb = in->k == INSERT ? lanes(arg_type(call, 1)) : 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t from = in->k == REVERSE         ? a + (count - 1 - k) * each
                        : in->k == EXTRACT       ? a + (k + (uint32_t)at) * each
                        : k >= at && k < at + nb ? b + (k - (uint32_t)at) * each
                                                 : a + k * each;
        if (in->k == STEP)
            lower_emit(w, (struct vm_insn){.op = VM_OP_CONST, .d = d + k, .k = k});
        else
            lower_emit(
                w, (struct vm_insn){.op = VM_OP_MOVN, .d = d + k * each, .a = from, .b = each});
    }
    end(w, call, d, n);
}

/* ---- the rest -------------------------------------------------------------------- */

static void special(struct lowering *w, LLVMValueRef call, const struct intrinsic *in)
{
    struct vm_insn x = {.op = in->op};
    uint64_t flag = 0;
    switch ((int)in->op) {
    case VM_OP_ROUNDED:
        x.w = (uint8_t)lower_width(w, arg_type(call, 0)),
        x.b = lower_width(w, LLVMTypeOf(call));
        if (x.w < 32 || !x.b || is_vector(LLVMTypeOf(call))) {
            refuse(w, call, in->name);
            return;
        }
        x.a = lower_use(w, arg(call, 0)), x.d = lower_result(w, call), x.k = in->k;
        break;
    case VM_OP_TLS:
        lower_emit(w, (struct vm_insn){.op = VM_OP_MOV,
                                       .d = lower_result(w, call),
                                       .a = lower_use(w, arg(call, 0))});
        return;
    case VM_OP_ASSUME: x.a = lower_use(w, arg(call, 0)); break;
    case VM_OP_FENCE: lower_full_fence(w, (uint8_t)in->k); return;
    case VM_OP_CHECKED: lower_trap(w, call); return;
    case VM_OP_VA_START: x.a = lower_use(w, arg(call, 0)), x.b = w->va; break;
    case VM_OP_VA_COPY:
        x.d = lower_use(w, arg(call, 0)), x.a = lower_use(w, arg(call, 1));
        break;
    case VM_OP_STACKSAVE: x.d = lower_result(w, call); break;
    case VM_OP_STACKRESTORE: x.a = lower_use(w, arg(call, 0)); break;
    case VM_OP_OBJECTSIZE:
        load_is_const_int(arg(call, 1), &flag);
        x.k = flag, x.a = lower_use(w, arg(call, 0)), x.d = lower_result(w, call);
        break;
    default: break;
    }
    lower_emit(w, x);
}

/* Lowers llvm.experimental.constrained.fadd and the like as the instruction itself. */
static bool constrained(struct lowering *w, LLVMValueRef call, const char *name)
{
    static const struct {
        const char *name;
        LLVMOpcode op;
    } table[] = {
        {"fadd.", LLVMFAdd},       {"fsub.", LLVMFSub},     {"fmul.", LLVMFMul},
        {"fdiv.", LLVMFDiv},       {"frem.", LLVMFRem},     {"fptosi.", LLVMFPToSI},
        {"fptoui.", LLVMFPToUI},   {"sitofp.", LLVMSIToFP}, {"uitofp.", LLVMUIToFP},
        {"fptrunc.", LLVMFPTrunc}, {"fpext.", LLVMFPExt},   {"fcmp.", LLVMFCmp},
        {"fcmps.", LLVMFCmp},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (!strncmp(name, table[k].name, strlen(table[k].name))) {
            lower_float_op(w, call, table[k].op);
            return true;
        }
    return false;
}

static const struct intrinsic *find(const char *name)
{
    for (size_t k = 0; k < sizeof intrinsics / sizeof *intrinsics; k++) {
        size_t n = strlen(intrinsics[k].name);
        if (!strncmp(name, intrinsics[k].name, n) && (name[n] == 0 || name[n] == '.'))
            return &intrinsics[k];
    }
    return NULL;
}

const char *load_intrinsic_name(const char *name)
{
    const struct intrinsic *in = find(name);
    return in ? in->name : NULL;
}

/* Lowers the intrinsics of x86_fp80 and fp128; false if it is none of them. */
static bool longdouble_shape(struct lowering *w, LLVMValueRef call, const struct intrinsic *in)
{
    uint64_t mask;
    switch ((int)in->shape) {
    case FLOATS1: return lower_longdouble_intrinsic(w, call, VM_L_FLOAT1, in->k, 1);
    case FLOATS2: return lower_longdouble_intrinsic(w, call, VM_L_FLOAT2, in->k, 2);
    case FMADD: return lower_longdouble_intrinsic(w, call, VM_L_FMA, 0, 3);
    case CLASS:
        return load_is_const_int(arg(call, 1), &mask) &&
               lower_longdouble_intrinsic(w, call, VM_L_CLASS, (unsigned)mask, 1);
    case SATURATED:
        return lower_longdouble_intrinsic(w, call, VM_L_TO_INT, in->k | VM_LONGDOUBLE_SATURATED,
                                          1);
    case ROUNDED:
        return lower_longdouble_intrinsic(
            w, call, VM_L_TO_INT,
            VM_LONGDOUBLE_SIGNED |
                (unsigned)(in->k ? VM_LONGDOUBLE_NEAREST : VM_LONGDOUBLE_AWAY),
            1);
    default: return false;
    }
}

static void lower_shape(struct lowering *w, LLVMValueRef call, const struct intrinsic *in)
{
    uint32_t n = load_type_regs(w->l, LLVMTypeOf(call));
    if (longdouble_shape(w, call, in))
        return;
    switch (in->shape) {
    case IGNORE: break;
    case FIRST:
        lower_emit(w, (struct vm_insn){.op = VM_OP_MOVN,
                                       .d = lower_result(w, call),
                                       .a = lower_use(w, arg(call, 0)),
                                       .b = n});
        break;
    case ZERO:
        lower_emit(w,
                   (struct vm_insn){.op = VM_OP_CONST, .d = lower_result(w, call), .k = in->k});
        break;
    case BLOCK: {
        uint32_t d = lower_use(w, arg(call, 0)), a = lower_use(w, arg(call, 1)),
                 b = lower_use(w, arg(call, 2));
        lower_emit(w, (struct vm_insn){.op = in->op,
                                       .flags = lower_argument_mask(w, call, 0),
                                       .d = d,
                                       .a = a,
                                       .b = b,
                                       .k = lower_argument_mask(w, call, 1)});
        break;
    }
    case WITH_OVERFLOW:
        if (lower_width(w, arg_type(call, 0)))
            with_overflow(w, call, in);
        else
            apint_lanes(w, call, in);
        break;
    case EXACT: apint_lanes(w, call, in); break;
    case FRACTION:
    case CLASS:
    case SATURATED: float_lanes(w, call, in); break;
    case REDUCE:
    case REDUCE_FROM: reduce(w, call, in); break;
    case SHUFFLE: shuffle(w, call, in); break;
    case MASKED:
        if (!lower_masked(w, call, in->name))
            refuse(w, call, in->name);
        break;
    case FIXED:
        if (!lower_fixed(w, call, in->k))
            refuse(w, call, in->name);
        break;
    case ROUNDED:
    case SPECIAL: special(w, call, in); break;
    case MARK: lower_mark(w, call); break;
    case TWO:
    case ONE:
    case FUNNEL:
    case FLOATS1:
    case FLOATS2:
    case FMADD:
        if (lower_is_apint(LLVMTypeOf(call)))
            apint_lanes(w, call, in);
        else
            each_lane(w, call, in);
        break;
    }
}

void lower_intrinsic(struct lowering *w, LLVMValueRef call, const char *name)
{
    static const char prefix[] = "experimental.constrained.";
    const char *base = name;
    if (!strncmp(name, prefix, sizeof prefix - 1)) {
        base = name + sizeof prefix - 1;
        if (constrained(w, call, base))
            return;
    }
    const struct intrinsic *in = find(base);
    if (in)
        lower_shape(w, call, in);
    else
        refuse(w, call, name);
}
