/* load_sixteen.c - atomic accesses of 16 bytes that are calls.
 *
 * Where a processor may lack the instruction, compilers call functions of a library for some
 * accesses to such an object, and have instructions for others.  Those whose orders are known
 * become instructions here, so that all of them are of one kind.  As the functions do, they
 * take any address. */
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/prepare/load_prepare.h"

enum { BYTES = 16, KINDS = 4 };
enum kind { LOAD, STORE, EXCHANGE, COMPARE };

/* A call's name, how many arguments it has, and which is the first order. */
static const struct {
    const char *name;
    unsigned nargs, order;
} calls[KINDS] = {
    [LOAD] = {"__atomic_load", 4, 3},
    [STORE] = {"__atomic_store", 4, 3},
    [EXCHANGE] = {"__atomic_exchange", 5, 4},
    [COMPARE] = {"__atomic_compare_exchange", 6, 4},
};

struct sixteen {
    struct loader *l;
    LLVMBuilderRef b;
    LLVMTypeRef value; /* an integer of 16 bytes */
    LLVMValueRef call;
    LLVMAtomicOrdering order[2];
};

/* Returns an order by C's number of it; NOT_ATOMIC if the access cannot have it. */
static LLVMAtomicOrdering order_of(LLVMValueRef argument, bool reads, bool writes)
{
    static const LLVMAtomicOrdering orders[] = {
        LLVMAtomicOrderingMonotonic,      LLVMAtomicOrderingAcquire,
        LLVMAtomicOrderingAcquire,        LLVMAtomicOrderingRelease,
        LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingSequentiallyConsistent,
    };
    uint64_t k = LLVMIsAConstantInt(argument) ? LLVMConstIntGetZExtValue(argument) : UINT64_MAX;
    LLVMAtomicOrdering order =
        k < sizeof orders / sizeof *orders ? orders[k] : LLVMAtomicOrderingNotAtomic;
    bool acquires = order == LLVMAtomicOrderingAcquire,
         releases = order == LLVMAtomicOrderingRelease,
         both = order == LLVMAtomicOrderingAcquireRelease;
    bool wrong = ((acquires || both) && !reads) || ((releases || both) && !writes);
    return wrong ? LLVMAtomicOrderingNotAtomic : order;
}

/* Which of the functions does the instruction call, with 16 bytes and orders that are known? */
static bool is_call(struct sixteen *s, LLVMValueRef i, enum kind *kind)
{
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!f || !LLVMIsAFunction(f) || !LLVMIsDeclaration(f))
        return false;
    for (unsigned k = 0; k < KINDS; k++) {
        LLVMValueRef size = LLVMGetOperand(i, 0);
        if (strcmp(LLVMGetValueName(f), calls[k].name) ||
            LLVMGetNumArgOperands(i) != calls[k].nargs || !LLVMIsAConstantInt(size) ||
            LLVMConstIntGetZExtValue(size) != BYTES)
            continue;
        *kind = (enum kind)k;
        s->call = i;
        s->order[0] = order_of(LLVMGetOperand(i, calls[k].order), k != STORE, k != LOAD);
        s->order[1] = k == COMPARE
                          ? order_of(LLVMGetOperand(i, calls[k].order + 1), true, false)
                          : s->order[0];
        return s->order[0] != LLVMAtomicOrderingNotAtomic &&
               s->order[1] != LLVMAtomicOrderingNotAtomic;
    }
    return false;
}

static LLVMValueRef plain_load(const struct sixteen *s, LLVMValueRef p)
{
    LLVMValueRef load = LLVMBuildLoad2(s->b, s->value, p, "");
    LLVMSetAlignment(load, 1);
    return load;
}

static void plain_store(const struct sixteen *s, LLVMValueRef value, LLVMValueRef p)
{
    LLVMSetAlignment(LLVMBuildStore(s->b, value, p), 1);
}

/* Makes an instruction atomic, at any address. */
static LLVMValueRef atomic(const struct sixteen *s, LLVMValueRef access)
{
    LLVMSetOrdering(access, s->order[0]);
    LLVMSetAlignment(access, 1);
    return access;
}

/* Returns room for a value that nobody wants, among the local variables of the function. */
static LLVMValueRef waste(const struct sixteen *s)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(s->l->context);
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(s->call));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMValueRef room = LLVMBuildAlloca(b, s->value, "");
    LLVMDisposeBuilder(b);
    return room;
}

/* What is expected is written only where the exchange fails. */
static LLVMValueRef compare_exchange(const struct sixteen *s, LLVMValueRef object,
                                     LLVMValueRef expected, LLVMValueRef desired)
{
    LLVMValueRef want = plain_load(s, expected), fresh = plain_load(s, desired);
    LLVMValueRef i =
        LLVMBuildAtomicCmpXchg(s->b, object, want, fresh, s->order[0], s->order[1], false);
    LLVMSetAlignment(i, 1);
    LLVMValueRef old = LLVMBuildExtractValue(s->b, i, 0, ""),
                 equal = LLVMBuildExtractValue(s->b, i, 1, "");
    LLVMValueRef nothing = LLVMConstNull(s->value); /* else states would differ in it */
    plain_store(s, LLVMBuildSelect(s->b, equal, nothing, old, ""),
                LLVMBuildSelect(s->b, equal, waste(s), expected, ""));
    return equal;
}

static void replace(const struct sixteen *s, enum kind kind)
{
    LLVMValueRef object = LLVMGetOperand(s->call, 1), other = LLVMGetOperand(s->call, 2);
    LLVMPositionBuilderBefore(s->b, s->call); /* and its place in the source */
    switch (kind) {
    case LOAD:
        plain_store(s, atomic(s, LLVMBuildLoad2(s->b, s->value, object, "")), other);
        break;
    case STORE: atomic(s, LLVMBuildStore(s->b, plain_load(s, other), object)); break;
    case EXCHANGE: {
        LLVMValueRef i = LLVMBuildAtomicRMW(s->b, LLVMAtomicRMWBinOpXchg, object,
                                            plain_load(s, other), s->order[0], false);
        LLVMSetAlignment(i, 1);
        plain_store(s, i, LLVMGetOperand(s->call, 3));
        break;
    }
    case COMPARE:
        LLVMReplaceAllUsesWith(s->call,
                               compare_exchange(s, object, other, LLVMGetOperand(s->call, 3)));
        break;
    }
    LLVMInstructionEraseFromParent(s->call);
}

void load_sixteen(struct loader *l)
{
    struct sixteen s = {.l = l,
                        .b = LLVMCreateBuilderInContext(l->context),
                        .value = LLVMIntTypeInContext(l->context, 8 * BYTES)};
    enum kind kind;
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_call(&s, i, &kind))
                    replace(&s, kind);
            }
    LLVMDisposeBuilder(s.b);
}
