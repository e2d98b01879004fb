/* load_masked.c - the masked memory intrinsics and fixed-point arithmetic: sequences of
 * plain instructions for each lane. */
#include <string.h>

#include "vm/exec/apint.h"
#include "vm/load/load.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lower/load_memory.h"
#include "vm/load/lower/load_wide.h"
#include "vm/load/lowering.h"

static LLVMValueRef arg(LLVMValueRef call, unsigned k)
{
    return LLVMGetOperand(call, k);
}

static uint32_t lanes(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

/* ---- masked memory --------------------------------------------------------------- */

/* Where the operands stand: pointer(s), mask, the value stored or kept; -1: none. */
struct masked {
    const char *name;
    int pointer, align, mask, value;
    bool store, each, packed; /* a pointer for each lane; lanes that are off take no place */
};

static const struct masked table[] = {
    {"masked.load", 0, 1, 2, 3, false, false, false},
    {"masked.store", 1, 2, 3, 0, true, false, false},
    {"masked.gather", 0, 1, 2, 3, false, true, false},
    {"masked.scatter", 1, 2, 3, 0, true, true, false},
    {"masked.expandload", 0, -1, 1, 2, false, false, true},
    {"masked.compressstore", 1, -1, 2, 0, true, false, true},
};

static void masked_lanes(struct lowering *w, LLVMValueRef call, const struct masked *m)
{
    LLVMTypeRef t = LLVMTypeOf(arg(call, (unsigned)m->value)), e = LLVMGetElementType(t);
    uint32_t n = lanes(t), all = load_type_regs(w->l, t), p = lower_new(w, 1);
    uint64_t size = LLVMABISizeOfType(w->l->layout, e), align = 1;
    uint32_t pointers = lower_use(w, arg(call, (unsigned)m->pointer)),
             mask = lower_use(w, arg(call, (unsigned)m->mask)),
             value = lower_use(w, arg(call, (unsigned)m->value)),
             d = m->store ? value : lower_new(w, all);
    if (m->align >= 0)
        load_is_const_int(arg(call, (unsigned)m->align), &align);
    if (!m->store)
        lower_emit(w, (struct vm_insn){.op = VM_OP_MOVN, .d = d, .a = value, .b = all});
    if (!m->each)
        lower_emit(w, (struct vm_insn){.op = VM_OP_MOV, .d = p, .a = pointers});
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = (uint32_t)w->code.n;
        lower_emit(w, (struct vm_insn){.op = VM_OP_BR, .a = mask + k});
        if (m->each)
            lower_emit(w, (struct vm_insn){.op = VM_OP_MOV, .d = p, .a = pointers + k});
        lower_element_access(w, p, m->each || m->packed ? 0 : k * size, d + k * (all / n), e,
                             (unsigned)align, m->store);
        if (m->packed)
            lower_emit(w, (struct vm_insn){.op = VM_OP_PTRADD, .d = p, .a = p, .k = size});
        ((struct vm_insn *)w->code.data)[at].k = (uint64_t)(at + 1) << 32 | w->code.n;
    }
    if (!m->store)
        lower_emit(w, (struct vm_insn){
                          .op = VM_OP_MOVN, .d = lower_result(w, call), .a = d, .b = all});
}

bool lower_masked(struct lowering *w, LLVMValueRef call, const char *name)
{
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        LLVMTypeRef t = LLVMTypeOf(arg(call, (unsigned)table[k].value));
        if (!strcmp(name, table[k].name) && LLVMGetTypeKind(t) == LLVMVectorTypeKind &&
            !lower_packed(w, t)) {
            masked_lanes(w, call, &table[k]);
            return true;
        }
    }
    return false;
}

/* ---- fixed-point numbers --------------------------------------------------------- */

struct fixed {
    struct lowering *w;
    unsigned bits; /* of the numbers in between: twice as many and more */
};

static uint32_t wide(const struct fixed *x, enum vm_apint_op op, unsigned from, unsigned to,
                     uint32_t a, uint32_t b)
{
    uint32_t d = lower_new(x->w, vm_apint_words(to));
    lower_emit(
        x->w,
        (struct vm_insn){
            .op = VM_OP_APINT, .d = d, .a = a, .b = b, .k = vm_apint_encode(op, from, to, 0)});
    return d;
}

static uint32_t both(const struct fixed *x, enum vm_apint_op op, uint32_t a, uint32_t b)
{
    return wide(x, op, x->bits, x->bits, a, b);
}

static uint32_t compare(const struct fixed *x, enum vm_apint_op op, uint32_t a, uint32_t b)
{
    return wide(x, op, x->bits, 1, a, b);
}

static uint32_t small_number(const struct fixed *x, uint64_t v)
{
    uint32_t one = lower_new(x->w, 1);
    lower_emit(x->w, (struct vm_insn){.op = VM_OP_CONST, .d = one, .k = v});
    return x->bits <= 64 ? one : wide(x, VM_W_ZEXT, 64, x->bits, one, 0);
}

/* Divides and rounds to minus infinity, as LLVM's own expansion does. */
static uint32_t divide(const struct fixed *x, uint32_t a, uint32_t b, bool is_signed)
{
    if (!is_signed)
        return both(x, VM_W_UDIV, a, b);
    uint32_t zero = small_number(x, 0), q = both(x, VM_W_SDIV, a, b),
             rest = both(x, VM_W_SREM, a, b);
    uint32_t down =
        wide(x, VM_W_XOR, 1, 1, compare(x, VM_W_SLT, a, zero), compare(x, VM_W_SLT, b, zero));
    down = wide(x, VM_W_AND, 1, 1, down, compare(x, VM_W_NE, rest, zero));
    return both(x, VM_W_SUB, q, wide(x, VM_W_ZEXT, 1, x->bits, down, 0));
}

/* Saturates to 2^(width - 1) - 1 and the least number, or to 2^width - 1. */
static uint32_t saturate(const struct fixed *x, uint32_t r, unsigned width, bool is_signed)
{
    uint32_t one = small_number(x, 1), by = small_number(x, width - is_signed);
    uint32_t limit = both(x, VM_W_SHL, one, by);
    r = both(x, is_signed ? VM_W_SMIN : VM_W_UMIN, r, both(x, VM_W_SUB, limit, one));
    return is_signed ? both(x, VM_W_SMAX, r, both(x, VM_W_SUB, small_number(x, 0), limit)) : r;
}

/* Lowers one lane.  how: 1 signed, 2 saturating, 4 a division. */
static uint32_t fixed_lane(struct lowering *w, uint32_t a, uint32_t b, unsigned width,
                           uint64_t scale, unsigned how)
{
    struct fixed x = {.w = w, .bits = 2 * width + 2};
    bool is_signed = how & 1;
    enum vm_apint_op extend = is_signed ? VM_W_SEXT : VM_W_ZEXT;
    a = wide(&x, extend, width, x.bits, a, 0);
    b = wide(&x, extend, width, x.bits, b, 0);
    uint32_t by = small_number(&x, scale), r;
    if (how & 4)
        r = divide(&x, both(&x, VM_W_SHL, a, by), b, is_signed);
    else
        r = both(&x, is_signed ? VM_W_ASHR : VM_W_LSHR, both(&x, VM_W_MUL, a, b), by);
    if (how & 2)
        r = saturate(&x, r, width, is_signed);
    return wide(&x, VM_W_ZEXT, x.bits, width, r, 0);
}

bool lower_fixed(struct lowering *w, LLVMValueRef call, unsigned how)
{
    LLVMTypeRef t = LLVMTypeOf(call);
    unsigned width = lower_int_bits(t);
    uint32_t n = lanes(t), all = load_type_regs(w->l, t), each = all / n;
    uint64_t scale;
    if (!width || 2 * width + 2 > VM_APINT_BITS || !load_is_const_int(arg(call, 2), &scale))
        return false;
    uint32_t a = lower_use(w, arg(call, 0)), b = lower_use(w, arg(call, 1)),
             d = lower_new(w, all);
    if (all > 1)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = all});
    for (uint32_t k = 0; k < n; k++) {
        uint32_t r = fixed_lane(w, a + k * each, b + k * each, width, scale, how);
        lower_emit(w, (struct vm_insn){.op = VM_OP_MOVN, .d = d + k * each, .a = r, .b = each});
    }
    lower_emit(
        w, (struct vm_insn){.op = VM_OP_MOVN, .d = lower_result(w, call), .a = d, .b = all});
    return true;
}
