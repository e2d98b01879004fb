/* load_keep.c - local variables that must stay in memory: those with an access that is
 * wrong for all to see, and those that may be read before they are set.  SROA, which puts local
 * variables in registers, drops what lies outside of a variable, and does not mind alignment;
 * the author's error would be gone. */
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/prepare/load_order.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/prepare/load_scope.h"
#include "vm/load/table.h"

struct variable {
    struct loader *l;
    uint64_t size, align;
    bool wrong, escapes; /* SROA leaves alone what escapes */
    bool named, ends;    /* a local variable has its address; it ends before its function */
    struct map seen;
    struct list uses; /* struct load_use */
};

static void see_uses(struct variable *v, LLVMValueRef p, int64_t at);

enum { MASKED = 64 }; /* bytes that a mask stands for */

static void note_use(struct variable *v, LLVMValueRef i, int64_t at, uint64_t size, bool writes,
                     bool copies)
{
    if (at < 0 || size == 0 || (uint64_t)at + size > v->size)
        return;
    uint64_t bytes = v->size > MASKED ? 0 : ~0ull >> (MASKED - size) << at;
    struct load_use use = {i, bytes, writes, copies, LOAD_NO_MARK};
    list_push(&v->uses, &use);
}

/* Is what is at this place of the variable aligned less than the author has promised? */
static bool is_odd(const struct variable *v, int64_t at, uint64_t align)
{
    return align && (v->align < align || (uint64_t)at % align) && v->l->load->check_alignment;
}

static void see_access(struct variable *v, LLVMValueRef i, LLVMTypeRef t, int64_t at)
{
    uint64_t size = LLVMStoreSizeOfType(v->l->layout, t);
    bool outside = at < 0 || (uint64_t)at + size > v->size;
    if (outside || is_odd(v, at, LLVMGetAlignment(i)))
        v->wrong = true;
    note_use(v, i, at, size, LLVMIsAStoreInst(i), false);
}

static void see_gep(struct variable *v, LLVMValueRef gep, int64_t at)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
    for (unsigned k = 1; k <= LLVMGetNumIndices(gep); k++) {
        LLVMValueRef index = LLVMGetOperand(gep, k);
        if (!LLVMIsAConstantInt(index)) {
            v->escapes = true;
            return;
        }
        int64_t n = LLVMConstIntGetSExtValue(index);
        if (k > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            at += (int64_t)LLVMOffsetOfElement(v->l->layout, t, (unsigned)n);
            t = LLVMStructGetTypeAtIndex(t, (unsigned)n);
            continue;
        }
        t = k > 1 ? LLVMGetElementType(t) : t;
        at += n * (int64_t)LLVMABISizeOfType(v->l->layout, t);
    }
    see_uses(v, gep, at);
}

/* Does a copy stay within one variable?  SROA drops a copy of a part of a variable to where it
 * already is, whatever its length. */
static bool is_within(LLVMValueRef copy)
{
    LLVMValueRef end[2];
    for (unsigned k = 0; k < 2; k++) {
        end[k] = LLVMGetOperand(copy, k);
        while (LLVMIsAGetElementPtrInst(end[k]))
            end[k] = LLVMGetOperand(end[k], 0);
    }
    return end[0] == end[1];
}

/* Is the variable a block that a call takes to be aligned more than it is? */
static bool is_odd_block(const struct variable *v, LLVMValueRef p, LLVMValueRef call,
                         int64_t at)
{
    for (unsigned k = 0; k < 2; k++)
        if (LLVMGetOperand(call, k) == p && is_odd(v, at, load_argument_align(call, k)))
            return true;
    return false;
}

/* Notes a call that uses the variable: memcpy and the like of a constant length are accesses,
 * marks begin or end it, all other calls let the address escape. */
static void see_call(struct variable *v, LLVMValueRef p, LLVMValueRef call, int64_t at)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    unsigned id = LLVMIsAFunction(f) ? LLVMGetIntrinsicID(f) : 0;
    static const char *const blocks[] = {"llvm.memcpy", "llvm.memmove", "llvm.memset"};
    if (load_mark(call)) {
        list_push(&v->uses, &(struct load_use){.i = call, .mark = load_mark(call)});
        v->ends |= load_mark(call) == LOAD_ENDS;
        return;
    }
    for (size_t k = 0; k < 3; k++)
        if (id && id == LLVMLookupIntrinsicID(blocks[k], strlen(blocks[k]))) {
            LLVMValueRef n = LLVMGetOperand(call, 2);
            if (is_odd_block(v, p, call, at) ||
                (!LLVMIsAConstantInt(n) && k < 2 && is_within(call)))
                v->wrong = true;
            else if (!LLVMIsAConstantInt(n))
                v->escapes = true;
            else if (at < 0 || (uint64_t)at + LLVMConstIntGetZExtValue(n) > v->size)
                v->wrong |= LLVMConstIntGetZExtValue(n) != 0;
            else
                note_use(v, call, at, LLVMConstIntGetZExtValue(n), LLVMGetOperand(call, 0) == p,
                         true);
            return;
        }
    v->escapes = true;
}

/* Notes that the address is stored.  In a local variable, SROA may find out what is done with
 * it, but this file does not. */
static void see_stored(struct variable *v, LLVMValueRef to)
{
    while (LLVMIsAGetElementPtrInst(to))
        to = LLVMGetOperand(to, 0);
    if (LLVMIsAAllocaInst(to))
        v->wrong = v->named = true;
    else
        v->escapes = true;
}

static void see_use(struct variable *v, LLVMValueRef p, LLVMValueRef i, int64_t at)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: see_access(v, i, LLVMTypeOf(i), at); break;
    case LLVMStore:
        if (LLVMGetOperand(i, 0) == p)
            see_stored(v, LLVMGetOperand(i, 1));
        else
            see_access(v, i, LLVMTypeOf(LLVMGetOperand(i, 0)), at);
        break;
    case LLVMGetElementPtr: see_gep(v, i, at); break;
    case LLVMBitCast:
    case LLVMAddrSpaceCast: see_uses(v, i, at); break;
    case LLVMPHI: /* SROA would move the access up to where the pointer comes from */
    case LLVMSelect: v->wrong = true; break;
    case LLVMCall: see_call(v, p, i, at); break;
    default: v->escapes = true; break;
    }
}

static void see_uses(struct variable *v, LLVMValueRef p, int64_t at)
{
    if (map_get(&v->seen, p))
        return;
    map_put(&v->seen, p, 1);
    for (LLVMUseRef u = LLVMGetFirstUse(p); u && !v->escapes; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)))
            see_use(v, p, LLVMGetUser(u), at);
}

/* Makes the variable an array of bytes whose length is an operand, which SROA leaves alone. */
static void keep(struct loader *l, LLVMValueRef alloca, uint64_t size)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
    LLVMPositionBuilderBefore(b, alloca);
    LLVMTypeRef byte = LLVMInt8TypeInContext(l->context),
                word = LLVMInt64TypeInContext(l->context);
    LLVMValueRef n = LLVMConstInt(word, size, false);
    if (size == 1)
        n = LLVMBuildFreeze(b, n, ""); /* a length that is a number to us alone */
    LLVMValueRef bytes = LLVMBuildArrayAlloca(b, byte, n, "");
    LLVMSetAlignment(bytes, LLVMGetAlignment(alloca));
    size_t length;
    const char *name = LLVMGetValueName2(alloca, &length);
    char *copy = strndup(name, length);
    LLVMReplaceAllUsesWith(alloca, bytes);
    LLVMInstructionEraseFromParent(alloca);
    LLVMSetValueName2(bytes, copy, length);
    free(copy);
    LLVMDisposeBuilder(b);
}

/* May a byte of the variable be read before it is set?  Large variables are not analysed: the
 * answer is yes. */
static bool maybe_unset(struct variable *v, struct load_order *order)
{
    return v->size > MASKED || load_maybe_unset(order, v->uses.data, v->uses.n);
}

/* Must the variable be kept before mem2reg?  mem2reg finds out what is done by an address that
 * a variable has, and goes on with that. */
static bool is_endangered(struct variable *v, struct load_order *order)
{
    return v->wrong ? v->named && v->ends : maybe_unset(v, order);
}

static bool is_misused(struct variable *v, struct load_order *order)
{
    return v->wrong || maybe_unset(v, order) ||
           load_maybe_ended(order, v->uses.data, v->uses.n);
}

/* Keeps a variable in memory if it must be.  all: also if it has a wrong access, as long as it
 * is known what becomes of each address. */
static void look_at(struct loader *l, LLVMValueRef alloca, struct load_order *order, bool all)
{
    LLVMTypeRef t = LLVMGetAllocatedType(alloca);
    uint64_t n;
    if (!load_is_const_int(LLVMGetOperand(alloca, 0), &n) || n != 1)
        return;
    struct variable v = {
        .l = l, .size = LLVMABISizeOfType(l->layout, t), .align = LLVMGetAlignment(alloca)};
    v.uses.item = sizeof(struct load_use);
    see_uses(&v, alloca, 0);
    if (!v.escapes && v.size && (all ? is_misused(&v, order) : is_endangered(&v, order)))
        keep(l, alloca, v.size);
    map_fini(&v.seen);
    free(v.uses.data);
}

static void look_at_all(struct loader *l, LLVMModuleRef module, bool all)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !load_is_user(l, f))
            continue;
        struct load_order order;
        load_order_init(&order, f);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsAAllocaInst(i))
                    look_at(l, i, &order, all);
            }
        load_order_fini(&order);
    }
}

void load_keep_unset(struct loader *l, LLVMModuleRef module)
{
    look_at_all(l, module, false);
}

void load_keep_wrong(struct loader *l, LLVMModuleRef module)
{
    look_at_all(l, module, true);
}
