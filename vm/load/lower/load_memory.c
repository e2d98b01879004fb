/* load_memory.c - loads, stores, atomics, allocas and addresses.
 *
 * An aggregate is loaded and stored scalar by scalar. */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_flow.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lower/load_memory.h"
#include "vm/load/lower/load_vector.h"
#include "vm/load/lower/load_wide.h"
#include "vm/load/lowering.h"
#include "vm/load/prepare/load_memory_order.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/table.h"

/* ---- memory ---------------------------------------------------------------------- */

/* Calls visit(offset, register, type) for each scalar of a type. */
struct scalars {
    struct lowering *w;
    LLVMValueRef i;
    uint32_t pointer, value;
    unsigned align; /* of the whole access, that the author has promised */
    bool store;
};

uint8_t lower_alignment_mask(const struct lowering *w, uint64_t align)
{
    enum { MOST = 128 };
    bool check = w->user && w->l->load->check_alignment && align && (align & (align - 1)) == 0;
    return check ? (uint8_t)((align < MOST ? align : MOST) - 1) : 0;
}

uint8_t lower_argument_mask(const struct lowering *w, LLVMValueRef call, unsigned k)
{
    return lower_alignment_mask(w, load_argument_align(call, k));
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
            uint8_t mask = k == 0 ? lower_alignment_mask(w, s->align) : 0;
            lower_emit(w, (struct vm_insn){.op = s->store ? store[n] : load[n],
                                           .w = (uint8_t)bits,
                                           .flags = offset & mask ? 0 : mask,
                                           .a = s->pointer,
                                           .b = (uint32_t)offset + 8 * k,
                                           .d = s->value + reg + k,
                                           .k = n});
        }
        return;
    }
    uint8_t mask = lower_alignment_mask(w, s->align);
    lower_emit(w, (struct vm_insn){.op = s->store ? store[bytes] : load[bytes],
                                   .w = (uint8_t)width,
                                   .flags = offset & mask ? 0 : mask,
                                   .a = s->pointer,
                                   .b = (uint32_t)offset,
                                   .d = s->value + reg,
                                   .k = bytes});
}

/* Accesses a vector whose elements do not fill their bytes: in memory it is an integer. */
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

void lower_element_access(struct lowering *w, uint32_t pointer, uint64_t offset, uint32_t value,
                          LLVMTypeRef t, unsigned align, bool store)
{
    struct scalars s = {w, NULL, pointer, value, align, store};
    uint32_t reg = 0;
    access_type(&s, offset, &reg, t);
}

static bool atomic_size(struct lowering *w, LLVMTypeRef t, uint64_t *bytes)
{
    *bytes = LLVMStoreSizeOfType(w->l->layout, t);
    if (*bytes == 16)
        return lower_int_bits(t) == 128 && LLVMGetTypeKind(t) == LLVMIntegerTypeKind;
    return lower_width(w, t) && (*bytes == 1 || *bytes == 2 || *bytes == 4 || *bytes == 8);
}

static bool is_scalar(struct lowering *w, LLVMTypeRef t, uint64_t *bytes)
{
    *bytes = LLVMStoreSizeOfType(w->l->layout, t);
    return LLVMGetTypeKind(t) != LLVMVectorTypeKind && lower_width(w, t);
}

/* Returns what an access or a fence with this order does: VM_ACQUIRES, VM_RELEASES,
 * VM_SEQ_CST. */
static uint8_t orders_of(LLVMAtomicOrdering ordering)
{
    switch (ordering) {
    case LLVMAtomicOrderingAcquire: return VM_ACQUIRES;
    case LLVMAtomicOrderingRelease: return VM_RELEASES;
    case LLVMAtomicOrderingAcquireRelease: return VM_ACQUIRES | VM_RELEASES;
    case LLVMAtomicOrderingSequentiallyConsistent:
        return VM_ACQUIRES | VM_RELEASES | VM_SEQ_CST;
    case LLVMAtomicOrderingNotAtomic:
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic: break;
    }
    return 0;
}

static void emit_fence(struct lowering *w, LLVMAtomicOrdering ordering, uint8_t light)
{
    w->l->program->fences = true;
    lower_emit(w, (struct vm_insn){.op = VM_OP_FENCE, .flags = orders_of(ordering) | light});
}

void lower_fence(struct lowering *w, LLVMValueRef i)
{
    if (!LLVMIsAtomicSingleThread(i)) /* else it is for a signal handler of the same thread */
        emit_fence(w, LLVMGetOrdering(i), 0);
}

void lower_full_fence(struct lowering *w, uint8_t light)
{
    emit_fence(w, LLVMAtomicOrderingSequentiallyConsistent, light);
}

/* Returns the address bits that must be 0 for an atomic access. */
static uint64_t atomic_mask(LLVMValueRef i, uint64_t bytes)
{
    unsigned alignment = LLVMGetAlignment(i);
    return (alignment < bytes ? alignment : bytes) - 1;
}

/* Returns a flag for read-modify-writes that need not be aligned as the processor's are: there
 * compilers call a library. */
static uint8_t anywhere(LLVMValueRef i, uint64_t bytes)
{
    return LLVMGetAlignment(i) < bytes ? VM_ANYWHERE : 0;
}

void lower_access(struct lowering *w, LLVMValueRef i, bool store)
{
    LLVMTypeRef t = store ? LLVMTypeOf(LLVMGetOperand(i, 0)) : LLVMTypeOf(i);
    uint32_t n = load_type_regs(w->l, t);
    LLVMAtomicOrdering ordering = LLVMGetOrdering(i);
    bool atomic = ordering != LLVMAtomicOrderingNotAtomic;
    uint32_t value = store ? lower_use(w, LLVMGetOperand(i, 0)) : 0;
    uint32_t p = lower_use(w, LLVMGetOperand(i, store ? 1 : 0));
    if (atomic || LLVMGetVolatile(i)) {
        uint64_t bytes;
        bool guard = atomic && !store && load_is_guard(i);
        if (atomic && !atomic_size(w, t, &bytes)) {
            lower_no_result(w, i, t);
            return;
        }
        if (atomic || is_scalar(w, t, &bytes)) {
            uint8_t flags = atomic ? 0 : VM_VOLATILE, width = (uint8_t)lower_width(w, t);
            flags |= guard ? VM_GUARD : 0;
            flags |= orders_of(ordering);
            bytes |=
                (atomic ? atomic_mask(i, bytes) : lower_alignment_mask(w, LLVMGetAlignment(i)))
                << 8;
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
                                               .d = lower_begin(w, i, n),
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

void lower_rmw(struct lowering *w, LLVMValueRef i)
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
    uint32_t p = lower_use(w, LLVMGetOperand(i, 0)), v = lower_use(w, LLVMGetOperand(i, 1));
    for (size_t k = 0; k < sizeof table / sizeof *table && atomic_size(w, t, &bytes); k++)
        if (table[k].from == LLVMGetAtomicRMWBinOp(i)) {
            lower_emit(w, (struct vm_insn){.op = VM_OP_RMW,
                                           .w = (uint8_t)lower_width(w, t),
                                           .flags = (uint8_t)(orders_of(LLVMGetOrdering(i)) |
                                                              anywhere(i, bytes)),
                                           .d = lower_result(w, i),
                                           .a = p,
                                           .b = v,
                                           .k = (uint64_t)table[k].op << 8 | bytes});
            return;
        }
    lower_no_result(w, i, t);
}

/* Returns the number of an exchange's padding, + 1; 0: its value has none. */
static uint32_t padding_of(struct loader *l, LLVMValueRef i)
{
    struct vm_padding padding;
    if (!load_padding_of(l, i, &padding))
        return 0;
    l->program->open_exchanges |= !padding.known;
    const struct vm_padding *known = l->paddings.data;
    for (size_t k = 0; k < l->paddings.n; k++)
        if (!memcmp(known[k].bits, padding.bits, sizeof padding.bits) &&
            known[k].known == padding.known && known[k].ignored == padding.ignored)
            return (uint32_t)k + 1;
    list_push(&l->paddings, &padding);
    return (uint32_t)l->paddings.n;
}

void lower_cmpxchg(struct lowering *w, LLVMValueRef i)
{
    uint64_t bytes;
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, 1));
    uint32_t p = lower_use(w, LLVMGetOperand(i, 0)), want = lower_use(w, LLVMGetOperand(i, 1)),
             fresh = lower_use(w, LLVMGetOperand(i, 2));
    if (!atomic_size(w, t, &bytes)) {
        lower_no_result(w, i, t);
        return;
    }
    uint8_t fail = orders_of(LLVMGetCmpXchgFailureOrdering(i));
    uint8_t flags = orders_of(LLVMGetCmpXchgSuccessOrdering(i));
    flags |= fail & VM_ACQUIRES ? VM_FAIL_ACQUIRES : 0;
    flags |= fail & VM_SEQ_CST ? VM_FAIL_SEQ_CST : 0;
    flags |= LLVMGetWeak(i) ? VM_WEAK : 0;
    flags |= anywhere(i, bytes);
    w->l->program->weak_exchanges |= LLVMGetWeak(i) && load_is_user(w->l, w->function);
    lower_emit(w, (struct vm_insn){.op = VM_OP_CMPXCHG,
                                   .w = (uint8_t)lower_width(w, t),
                                   .flags = flags,
                                   .d = lower_result(w, i),
                                   .a = p,
                                   .b = want,
                                   .k = (uint64_t)padding_of(w->l, i) << 40 |
                                        (uint64_t)fresh << 8 | bytes});
}

/* Returns the name of a local variable for messages, as a variable's number + 1; 0 if it has
 * none.  A variable that has a name of LLVM's only is something that clang made, unless the
 * source is LLVM's. */
static uint32_t name_of(struct lowering *w, LLVMValueRef alloca)
{
    static const char *const ours[][2] = {{".compoundliteral", "the compound literal"},
                                          {"ref.tmp", "a temporary"},
                                          {"agg.tmp", "a temporary"},
                                          {"temp.lvalue", "a temporary"}};
    uint32_t known = map_get(&w->names, alloca);
    if (known)
        return *((struct vm_variable *)w->l->variables.data)[known - 1].name ? known : 0;
    size_t length;
    const char *value = LLVMGetValueName2(alloca, &length),
               *name = LLVMGetSubprogram(w->function) && *value != '%' ? "" : value;
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
        if (!strncmp(value, ours[k][0], strlen(ours[k][0])))
            name = ours[k][1];
    if (!*name)
        return 0;
    struct vm_variable made = {load_string(w->l, name, strlen(name)), NULL};
    if (w->queried && name == value)
        made.type = load_plain_type(w->l, LLVMGetAllocatedType(alloca));
    list_push(&w->l->variables, &made);
    return (uint32_t)w->l->variables.n;
}

void lower_alloca(struct lowering *w, LLVMValueRef i)
{
    bool anew;
    lower_scoped(w, i, &anew);
    if (!anew)
        lower_make(w, i);
}

void lower_make(struct lowering *w, LLVMValueRef i)
{
    uint64_t size = LLVMABISizeOfType(w->l->layout, LLVMGetAllocatedType(i)), n;
    struct vm_insn x = {.op = VM_OP_ALLOCA, .k = size};
    if (load_is_const_int(LLVMGetOperand(i, 0), &n)) {
        if (__builtin_mul_overflow(size, n, &x.k))
            x.k = UINT64_MAX;
    } else {
        x.flags = 1;
        x.a = lower_use(w, LLVMGetOperand(i, 0));
    }
    if (w->user || map_get(&w->names, i))
        x.b = name_of(w, i);
    bool anew;
    if (!x.flags)
        x.a = lower_scoped(w, i, &anew);
    x.d = lower_result(w, i);
    lower_emit(w, x);
}

/* All variadic arguments stand in the overflow area, in 8 bytes for each register. */
void lower_va_arg(struct lowering *w, LLVMValueRef i)
{
    LLVMTypeRef t = LLVMTypeOf(i);
    uint32_t list = lower_use(w, LLVMGetOperand(i, 0)), p = lower_new(w, 1),
             next = lower_new(w, 1), reg = 0;
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

void lower_gep(struct lowering *w, LLVMValueRef i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind) {
        lower_vector_gep(w, i);
        return;
    }
    LLVMTypeRef t = LLVMGetGEPSourceElementType(i);
    uint32_t p = lower_use(w, LLVMGetOperand(i, 0));
    int64_t offset = 0;
    for (unsigned k = 1; k <= LLVMGetNumIndices(i); k++) {
        LLVMValueRef index = LLVMGetOperand(i, k);
        uint64_t c, scale;
        bool constant = load_is_const_int(index, &c);
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
