/* arith.c - arithmetic on values that are undefined, poison or pointers, and operations that
 * fault.
 *
 * The interpreter's own cases handle operands that are wholly defined and no
 * part of a pointer; everything else comes here.  A value is its bits, the mask
 * of those that are defined (undefined ones are 0), and which of its bytes come
 * from a pointer.  Masks are exact for moves, and, or, xor, shifts, sums and
 * comparisons, and conservative elsewhere. */
#include <math.h>
#include <string.h>

#include "vm/exec/access.h"
#include "vm/exec/arith.h"
#include "vm/exec/call.h"
#include "vm/exec/register.h"
#include "vm/machine.h"

static void put(struct vm_obj *f, uint32_t r, struct vm_value x)
{
    vm_value_put(f, r * 8, 8, &x);
}

static struct vm_value undefined(unsigned w)
{
    return (struct vm_value){.m = ~vm_low(w)};
}

/* Notes that a number is computed from a pointer.  The upper half of a pointer names the
 * object: a result that depends on it other than by equality breaks heap symmetry.  A number
 * computed from it is tagged VM_DERIVED as long as it stays in a register and is only computed
 * with (optimised code does so and drops the result); other uses note it.  Of a piece of a
 * pointer it is unknown which half it comes from. */
static void note_computed(struct vm *vm, uint8_t p)
{
    if (p)
        vm_break(vm, VM_ASSUMES_ADDRESSES);
}

/* Exposes the objects whose addresses a number is computed from. */
static void expose(struct vm *vm, struct vm_value a, struct vm_value b)
{
    if (a.p == 0xff)
        vm_expose(vm, a.v);
    if (b.p == 0xff)
        vm_expose(vm, b.v);
}

/* Notes that a pointer was put together of pieces, which need not have come from one pointer:
 * it may lead anywhere. */
static void put_together(struct vm *vm, struct vm_value x)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, x.v);
    if (o)
        vm_heap_doubt(&vm->heap, o);
}

static uint8_t derive(uint8_t p)
{
    return p ? VM_DERIVED : 0;
}

static bool is_piece(uint8_t p)
{
    return p && p != 0xff;
}

static int64_t sext(uint64_t v, unsigned w)
{
    return (int64_t)(v << (64 - w)) >> (64 - w);
}

/* Returns the pointer bytes of a sum or difference. */
static uint8_t sum_tags(struct vm_value a, struct vm_value b, uint64_t r, bool sub)
{
    if (sub && a.p == 0xff && b.p == 0xff)
        return vm_ptr_id(a.v) != vm_ptr_id(b.v) ? VM_DERIVED : 0;
    if (a.p == 0xff && !b.p && vm_ptr_id(r) == vm_ptr_id(a.v))
        return 0xff;
    if (!sub && b.p == 0xff && !a.p && vm_ptr_id(r) == vm_ptr_id(b.v))
        return 0xff;
    return derive(a.p | b.p);
}

static uint8_t bit_tags(struct vm_value a, struct vm_value b, uint64_t r)
{
    if (!(a.p & b.p) && a.p && b.p) /* a pointer put together from pieces */
        return a.p | b.p;
    uint8_t p = a.p | b.p;
    const struct vm_value *q = a.p ? &a : &b;
    if (a.p && b.p)
        return derive(p);
    if (p == 0xff && vm_ptr_id(r) == vm_ptr_id(q->v))
        return 0xff;
    if (p == 0xff && r >> 32 == 0)
        return 0;
    return r == q->v ? p : derive(p);
}

static uint64_t known_below(uint64_t m) /* the defined bits below the first undefined */
{
    return ~m ? ((uint64_t)1 << __builtin_ctzll(~m)) - 1 : ~0ull;
}

/* Returns the bits of a + b + carry that are the same whatever the undefined ones are: both
 * bits are defined, and the carry into them is the same for the least operands and the
 * greatest. */
static uint64_t known_sum(struct vm_value a, struct vm_value b, uint64_t carry)
{
    uint64_t most_a = a.v | ~a.m, most_b = b.v | ~b.m;
    uint64_t none = ~((most_a + most_b + carry) ^ most_a ^ most_b);
    uint64_t some = (a.v + b.v + carry) ^ a.v ^ b.v;
    return (none | some) & a.m & b.m;
}

static struct vm_value complement(struct vm_value b)
{
    return (struct vm_value){.v = ~b.v & b.m, .m = b.m};
}

static struct vm_value sum(unsigned op, unsigned w, struct vm_value a, struct vm_value b)
{
    uint64_t low = vm_low(w), r, known;
    if (op == VM_OP_ADD)
        r = a.v + b.v, known = known_sum(a, b, 0);
    else if (op == VM_OP_SUB)
        r = a.v - b.v, known = known_sum(a, complement(b), 1);
    else
        r = a.v * b.v, known = known_below(a.m & b.m);
    struct vm_value x = {.v = r & low & known, .m = known | ~low};
    if (op == VM_OP_MUL)
        x.p = derive(a.p | b.p);
    else if (a.p | b.p)
        x.p = sum_tags(a, b, x.v, op == VM_OP_SUB);
    return x;
}

/* Is the operand a mask of the region?  The region of an object is the same in all runs;
 * os_is_same_place asks for it. */
static bool is_region_mask(struct vm_value x)
{
    return !x.p && x.v << 3 == 0;
}

static struct vm_value bitwise(unsigned op, struct vm_value a, struct vm_value b)
{
    struct vm_value x;
    if (op == VM_OP_AND)
        x = (struct vm_value){.v = a.v & b.v, .m = (a.m & b.m) | (a.m & ~a.v) | (b.m & ~b.v)};
    else if (op == VM_OP_OR)
        x = (struct vm_value){.v = a.v | b.v, .m = (a.m & b.m) | (a.m & a.v) | (b.m & b.v)};
    else
        x = (struct vm_value){.v = a.v ^ b.v, .m = a.m & b.m};
    bool region = op == VM_OP_AND && (is_region_mask(a) || is_region_mask(b));
    x.p = (a.p | b.p) && !region ? bit_tags(a, b, x.v) : 0;
    return x;
}

struct vm_value vm_compute(unsigned op, unsigned w, struct vm_value a, struct vm_value b)
{
    return op <= VM_OP_MUL ? sum(op, w, a, b) : bitwise(op, a, b);
}

static struct vm_value shift(unsigned op, unsigned w, struct vm_value a, unsigned n)
{
    uint64_t low = vm_low(w);
    struct vm_value x = {0};
    if (op == VM_OP_SHL) {
        x.v = (a.v << n) & low;
        x.m = (a.m << n) | (n ? vm_low(n) : 0) | ~low;
        x.p = n % 8 == 0 ? (uint8_t)(a.p << (n / 8)) : 0;
    } else if (op == VM_OP_LSHR) {
        x.v = a.v >> n;
        x.m = ((a.m & low) >> n) | (n ? ~(low >> n) : ~low);
        x.p = n % 8 == 0 ? (uint8_t)(a.p >> (n / 8)) : 0;
    } else {
        x.v = (uint64_t)(sext(a.v, w) >> n) & low;
        x.m = ((uint64_t)(sext(a.m, w) >> n) & low) | ~low;
    }
    if (a.p == VM_DERIVED || (a.p && !x.p && !(op == VM_OP_LSHR && n >= 61)))
        x.p = derive(a.p);
    return x;
}

enum outcome { FINE, POISON, WRONG_OVERFLOW, WRONG_SHIFT, WRONG_DIVISION };

/* Returns what the flags of an instruction say about a result of defined operands. */
static enum outcome overflow(unsigned op, unsigned w, unsigned flags, uint64_t a, uint64_t b)
{
    int64_t sa = sext(a, w), sb = sext(b, w), sr;
    uint64_t ua = a << (64 - w), ub = b << (64 - w), ur;
    bool s = false, u = false;
    if (op == VM_OP_ADD) {
        s = __builtin_add_overflow((int64_t)ua, (int64_t)ub, &sr);
        u = __builtin_add_overflow(ua, ub, &ur);
    } else if (op == VM_OP_SUB) {
        s = __builtin_sub_overflow((int64_t)ua, (int64_t)ub, &sr);
        u = __builtin_sub_overflow(ua, ub, &ur);
    } else if (op == VM_OP_MUL) {
        s = __builtin_mul_overflow(sa, sb, &sr) || sext((uint64_t)sr, w) != sr;
        u = __builtin_mul_overflow(a, b, &ur) || (ur & ~vm_low(w));
    } else if (op == VM_OP_SHL) {
        uint64_t r = (a << b) & vm_low(w);
        s = sext(r, w) >> b != sa;
        u = r >> b != a;
    } else if (op == VM_OP_LSHR || op == VM_OP_ASHR) {
        return flags & VM_EXACT && b && (a & vm_low((unsigned)b)) ? POISON : FINE;
    }
    if ((flags & VM_NSW && s))
        return flags & VM_CHECKED ? WRONG_OVERFLOW : POISON;
    return flags & VM_NUW && u ? POISON : FINE;
}

static enum outcome divide(unsigned op, unsigned w, unsigned flags, uint64_t a, uint64_t b,
                           uint64_t *r)
{
    if (b == 0)
        return WRONG_DIVISION;
    if (op == VM_OP_UDIV || op == VM_OP_UREM) {
        *r = op == VM_OP_UDIV ? a / b : a % b;
        return op == VM_OP_UDIV && flags & VM_EXACT && a % b ? POISON : FINE;
    }
    int64_t sa = sext(a, w), sb = sext(b, w);
    if (sb == -1 && a == (uint64_t)1 << (w - 1))
        return WRONG_OVERFLOW;
    *r = (uint64_t)(op == VM_OP_SDIV ? sa / sb : sa % sb) & vm_low(w);
    return op == VM_OP_SDIV && flags & VM_EXACT && sa % sb ? POISON : FINE;
}

static unsigned plain_op(unsigned op, bool *immediate)
{
    *immediate = op >= VM_OP_ADD_K && op <= VM_OP_MUL_NSW_K;
    switch (op) {
    case VM_OP_ADD_F:
    case VM_OP_ADD_K:
    case VM_OP_ADD_NSW_K: return VM_OP_ADD;
    case VM_OP_SUB_F:
    case VM_OP_SUB_K: return VM_OP_SUB;
    case VM_OP_MUL_F:
    case VM_OP_MUL_K:
    case VM_OP_MUL_NSW_K: return VM_OP_MUL;
    case VM_OP_UDIV_F: return VM_OP_UDIV;
    case VM_OP_SDIV_F: return VM_OP_SDIV;
    case VM_OP_SHL_F:
    case VM_OP_SHL_K: return VM_OP_SHL;
    case VM_OP_LSHR_F:
    case VM_OP_LSHR_K: return VM_OP_LSHR;
    case VM_OP_ASHR_F:
    case VM_OP_ASHR_K: return VM_OP_ASHR;
    case VM_OP_AND_K: return VM_OP_AND;
    case VM_OP_OR_K:
    case VM_OP_OR_F: return VM_OP_OR;
    case VM_OP_XOR_K: return VM_OP_XOR;
    default: return op;
    }
}

static enum vm_step report(struct vm *vm, enum outcome o, unsigned op, unsigned w, uint64_t a,
                           uint64_t b)
{
    static const char *const sign[] = {"+", "-", "*", "/", "/", "%", "%", "<<", ">>", ">>"};
    const char *s = sign[op - VM_OP_ADD];
    long long sa = sext(a, w), sb = sext(b, w);
    if (o == WRONG_DIVISION)
        return vm_fault(vm, VM_FAULT_DIVISION, "division by zero: %lld %s 0", sa, s);
    if (o == WRONG_SHIFT)
        return vm_fault(vm, VM_FAULT_SHIFT, "shift of a %u-bit value by %lld", w, sb);
    return vm_fault(vm, VM_FAULT_OVERFLOW, "signed overflow: %lld %s %lld in %u bits", sa, s,
                    sb, w);
}

static enum vm_step binary(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    bool immediate;
    unsigned op = plain_op(i->op, &immediate), w = i->w;
    struct vm_value a = vm_value_in(f, i->a);
    struct vm_value b = immediate ? (struct vm_value){i->k, ~0ull, 0} : vm_value_in(f, i->b);
    struct vm_value x = undefined(w);
    bool known = a.m == ~0ull && b.m == ~0ull;
    enum outcome outcome = FINE;
    bool dividing = op >= VM_OP_UDIV && op <= VM_OP_SREM;
    bool shifting = op >= VM_OP_SHL && op <= VM_OP_ASHR;
    if (dividing) {
        if (b.m != ~0ull)
            return vm_fault(vm, VM_FAULT_UNDEFINED, "division by an undefined value");
        bool offset_only = op == VM_OP_UREM && a.p == 0xff && !b.p && b.v - 1 < 0xffffffff &&
                           (b.v & (b.v - 1)) == 0;
        if (!offset_only) {
            note_computed(vm, a.p | b.p);
            expose(vm, a, b);
        }
        if (known) {
            outcome = divide(op, w, i->flags, a.v, b.v, &x.v);
            x.m = ~0ull;
        } else if (b.v == 0) {
            outcome = WRONG_DIVISION;
        }
    } else if (shifting) {
        if (b.m == ~0ull && b.v >= w)
            outcome = i->flags & VM_CHECKED ? WRONG_SHIFT : POISON;
        else if (b.m == ~0ull)
            x = shift(op, w, a, (unsigned)b.v);
        if (outcome == FINE && known)
            outcome = overflow(op, w, i->flags, a.v, b.v);
    } else {
        x = vm_compute(op, w, a, b);
        if (known && i->flags && op <= VM_OP_MUL)
            outcome = overflow(op, w, i->flags, a.v, b.v);
        if (op == VM_OP_OR && i->flags & VM_DISJOINT && (a.v & b.v))
            outcome = POISON;
    }
    if (outcome > POISON)
        return report(vm, outcome, op, w, a.v, b.v);
    if (x.p && x.p != 0xff)
        expose(vm, a, b);
    else if (x.p && a.p != 0xff && b.p != 0xff)
        put_together(vm, x);
    put(f, i->d, outcome == POISON ? undefined(w) : x);
    return VM_STEP_NEXT;
}

static bool compare(unsigned op, unsigned w, uint64_t a, uint64_t b)
{
    switch (op) {
    case VM_OP_EQ:
    case VM_OP_EQ_K: return a == b;
    case VM_OP_NE:
    case VM_OP_NE_K: return a != b;
    case VM_OP_ULT:
    case VM_OP_ULT_K: return a < b;
    case VM_OP_UGT_K: return a > b;
    case VM_OP_ULE: return a <= b;
    case VM_OP_SLT:
    case VM_OP_SLT_K: return sext(a, w) < sext(b, w);
    case VM_OP_SGT_K: return sext(a, w) > sext(b, w);
    default: return sext(a, w) <= sext(b, w);
    }
}

/* Returns the least number that a value may be; its undefined bits are 0. */
static uint64_t least(struct vm_value x, unsigned w, bool is_signed)
{
    uint64_t sign = (uint64_t)1 << (w - 1);
    return is_signed && !(x.m & sign) ? x.v | sign : x.v;
}

static uint64_t most(struct vm_value x, unsigned w, bool is_signed)
{
    uint64_t sign = (uint64_t)1 << (w - 1), all = (x.v | ~x.m) & vm_low(w);
    return is_signed && !(x.m & sign) ? all & ~sign : all;
}

/* Is the answer the same whatever the undefined bits are? */
static bool is_decided(unsigned op, unsigned w, struct vm_value a, struct vm_value b)
{
    bool is_signed =
        op == VM_OP_SLT || op == VM_OP_SLE || op == VM_OP_SLT_K || op == VM_OP_SGT_K;
    return compare(op, w, least(a, w, is_signed), most(b, w, is_signed)) ==
           compare(op, w, most(a, w, is_signed), least(b, w, is_signed));
}

/* May the object lie elsewhere in another run?  Code, constants and global variables do not. */
static bool may_move(struct vm_value x)
{
    return x.p && vm_ptr_region(x.v) <= VM_ID_FRAME;
}

/* May the order of two addresses differ between runs?  Places of objects tell which of two
 * comes first only within one region; no object is near null, so none is near the least or the
 * greatest number. */
static bool order_may_change(uint64_t a, uint64_t b)
{
    uint32_t one = vm_ptr_id(a), other = vm_ptr_id(b);
    return vm_ptr_region(a) == vm_ptr_region(b) && one != other && one && other;
}

static struct vm_value relate(struct vm *vm, unsigned op, const struct vm_insn *i,
                              const struct vm_obj *f)
{
    struct vm_value a = vm_value_in(f, i->a);
    struct vm_value b =
        op >= VM_OP_EQ_K ? (struct vm_value){i->k, ~0ull, 0} : vm_value_in(f, i->b);
    bool equality = op == VM_OP_EQ || op == VM_OP_NE || op == VM_OP_EQ_K || op == VM_OP_NE_K;
    struct vm_value x = {.v = compare(op, i->w, a.v, b.v), .m = ~0ull};
    bool differ = (a.v ^ b.v) & a.m & b.m;
    if ((a.m & b.m) != ~0ull && (equality ? !differ : !is_decided(op, i->w, a, b)))
        x = undefined(1);
    if (!equality && (may_move(a) || may_move(b)) && order_may_change(a.v, b.v))
        note_computed(vm, a.p | b.p);
    if (is_piece(a.p) || is_piece(b.p))
        note_computed(vm, a.p | b.p);
    return x;
}

static enum vm_step relation(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    put(f, i->d, relate(vm, i->op, i, f));
    return VM_STEP_NEXT;
}

enum vm_step vm_slow_branch(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                            uint32_t *target)
{
    struct vm_value x = relate(vm, i->op - VM_OP_BR_EQ + VM_OP_EQ, i, f);
    bool immediate = i->op >= VM_OP_BR_EQ_K;
    if (x.m != ~0ull)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "branch on an undefined value");
    if (x.v)
        *target = immediate ? i->d : (uint32_t)(i->k >> 32);
    else
        *target = immediate ? i->b : (uint32_t)i->k;
    return VM_STEP_NEXT;
}

/* Adds an offset to an address: object arithmetic keeps the object, whatever the offset
 * does. */
static struct vm_value displaced(struct vm_value a, int64_t delta)
{
    uint64_t v = a.p == 0xff ? vm_ptr_add(a.v, delta) : a.v + (uint64_t)delta;
    return (struct vm_value){.v = v, .m = ~0ull, .p = a.p};
}

/* Optimised code adds the number of one address to another address, and subtracts one of them
 * again: in between it has a number, and at the end an address. */
static bool is_sum(struct vm_value a, struct vm_value b, struct vm_value *x)
{
    bool other = b.p == 0xff || b.p == VM_DERIVED;
    x->v = a.v + b.v;
    x->m = ~0ull;
    if (a.p == 0xff && (b.p == 0xff || (other && x->v >> 32 == 0)))
        x->p = VM_DERIVED;
    else if (other && (a.p == VM_DERIVED || (!a.p && vm_ptr_id(x->v) == vm_ptr_id(b.v))))
        x->p = 0xff;
    else
        return false;
    return true;
}

static struct vm_value indexed(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f)
{
    struct vm_value a = vm_value_in(f, i->a), b = vm_value_in(f, i->b), x;
    int64_t delta;
    if (a.m != ~0ull || b.m != ~0ull)
        return (struct vm_value){0, 0, 0};
    if (b.p && i->w == 64 && i->k == 1ull << 32 && is_sum(a, b, &x)) {
        if (x.p == 0xff && a.p)
            put_together(vm, x);
        return x;
    }
    note_computed(vm, b.p);
    if (__builtin_mul_overflow(sext(b.v, i->w), (int64_t)(i->k >> 32), &delta))
        delta = INT64_MAX / 2;
    return displaced(a, delta + (int32_t)(uint32_t)i->k);
}

bool vm_index_address(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                      uint64_t *p, uint8_t *tags)
{
    struct vm_value x = indexed(vm, i, f);
    *p = x.v;
    *tags = x.p;
    return x.m == ~0ull;
}

static enum vm_step address(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    struct vm_value a = vm_value_in(f, i->a);
    if (i->op == VM_OP_INDEX)
        put(f, i->d, indexed(vm, i, f));
    else
        put(f, i->d, a.m == ~0ull ? displaced(a, (int64_t)i->k) : (struct vm_value){0, 0, 0});
    return VM_STEP_NEXT;
}

static enum vm_step to_integer(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    struct vm_value a = vm_value_in(f, i->a);
    bool from32 = i->op == VM_OP_F32_TO_SI || i->op == VM_OP_F32_TO_UI;
    if (a.m != ~0ull) {
        put(f, i->d, undefined(i->w));
        return VM_STEP_NEXT;
    }
    double x;
    if (from32) {
        float y;
        memcpy(&y, &a.v, 4);
        x = y;
    } else {
        memcpy(&x, &a.v, 8);
    }
    if (i->flags & VM_CHECKED)
        return vm_fault(vm, VM_FAULT_FLOAT_CAST, "%g is out of range of a %u-bit integer", x,
                        i->w);
    put(f, i->d, undefined(i->w));
    return VM_STEP_NEXT;
}

static unsigned result_width(const struct vm_insn *i)
{
    switch (i->op) {
    case VM_OP_FCMP32:
    case VM_OP_FCMP64: return 1;
    case VM_OP_FADD32:
    case VM_OP_FSUB32:
    case VM_OP_FMUL32:
    case VM_OP_FDIV32:
    case VM_OP_FREM32:
    case VM_OP_FPTRUNC:
    case VM_OP_SI_TO_F32:
    case VM_OP_UI_TO_F32: return 32;
    case VM_OP_FNEG:
    case VM_OP_FLOAT1:
    case VM_OP_FLOAT2:
    case VM_OP_FMA: return i->w;
    default: return 64;
    }
}

/* Does truncation with flags lose bits of a defined value? */
static bool loses(const struct vm_insn *i, struct vm_value a)
{
    uint64_t v = a.v & vm_low(i->w);
    return a.m == ~0ull &&
           ((i->flags & VM_NUW && v != a.v) ||
            (i->flags & VM_NSW && ((uint64_t)sext(v, i->w) ^ a.v) & vm_low(i->b)));
}

enum vm_step vm_slow_arith(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    if (i->op >= VM_OP_ADD && i->op <= VM_OP_MUL_NSW_K)
        return binary(vm, i, f);
    if (i->op >= VM_OP_EQ && i->op <= VM_OP_SGT_K)
        return relation(vm, i, f);
    if (i->op == VM_OP_PTRADD || i->op == VM_OP_INDEX)
        return address(vm, i, f);
    if (i->op >= VM_OP_F32_TO_SI && i->op <= VM_OP_F64_TO_UI)
        return to_integer(vm, i, f);
    struct vm_value a = vm_value_in(f, i->a);
    if (i->op == VM_OP_TRUNC_F && loses(i, a)) {
        put(f, i->d, undefined(i->w));
    } else if (i->op == VM_OP_TRUNC || i->op == VM_OP_TRUNC_F) {
        uint64_t low = vm_low(i->w);
        if (a.p != 0xff || i->w > 32) {
            note_computed(vm, a.p);
            expose(vm, a, a);
        }
        put(f, i->d,
            (struct vm_value){a.v & low, a.m | ~low,
                              a.p & (uint8_t)vm_low(i->w < 8 ? 1 : i->w / 8)});
    } else if (i->op == VM_OP_NNEG) { /* known to be negative: poison */
        bool negative = a.v >> (i->w - 1) & 1;
        put(f, i->d, negative ? undefined(i->b) : a);
    } else if (i->op == VM_OP_SEXT) {
        uint64_t low = vm_low(i->b);
        note_computed(vm, a.p);
        put(f, i->d,
            (struct vm_value){(uint64_t)sext(a.v, i->w) & low, (uint64_t)sext(a.m, i->w) | ~low,
                              0});
    } else if (i->op == VM_OP_FREEZE) {
        put(f, i->d, (struct vm_value){a.v, ~0ull, a.p});
    } else {
        note_computed(vm, a.p);
        put(f, i->d, undefined(result_width(i)));
    }
    return VM_STEP_NEXT;
}
