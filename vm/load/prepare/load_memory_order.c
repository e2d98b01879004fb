/* load_memory_order.c - the memory order that an atomic access was given, by C's numbers.
 *
 * An instruction has its order. Where the order is no constant, clang makes a switch over it,
 * with an instruction for each order, and functions are passed a number. Then all that is
 * stored in the variable, or passed by the callers, tells which orders there may be. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "vm/load/prepare/load_memory_order.h"

enum {
    ACQ_REL = 4,
    MAX_DEPTH = 8,
    MAX_BRANCHES = 4, /* by the order, by that of a failure, and by whether it is weak */
    UNKNOWN = 1 << LOAD_ORDER_UNKNOWN, /* sets of orders have a bit for each */
};

/* ---- orders that are no constants ------------------------------------------------ */

static unsigned orders_in(LLVMValueRef v, int depth);

static bool is_call(LLVMValueRef v)
{
    return LLVMIsACallInst(v) || LLVMIsAInvokeInst(v);
}

static bool is_lifetime(LLVMValueRef call)
{
    static const char name[] = "llvm.lifetime.";
    LLVMValueRef f = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    return f && !strncmp(LLVMGetValueName(f), name, sizeof name - 1);
}

static unsigned orders_in_variable(LLVMValueRef variable, int depth)
{
    unsigned set = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != variable;
        if (stores)
            set |= orders_in(LLVMGetOperand(user, 0), depth);
        else if (!LLVMIsALoadInst(user) && !is_lifetime(user))
            return UNKNOWN;
    }
    return set ? set : UNKNOWN;
}

/* Returns the orders that callers pass: none if there are no callers, as of a function that was
 * inlined. */
static unsigned orders_in_parameter(LLVMValueRef parameter, int depth)
{
    LLVMValueRef f = LLVMGetParamParent(parameter);
    unsigned set = 0, k = 0;
    while (LLVMGetParam(f, k) != parameter)
        k++;
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!is_call(user) || LLVMGetCalledValue(user) != f || LLVMGetNumArgOperands(user) <= k)
            return UNKNOWN;
        set |= orders_in(LLVMGetOperand(user, k), depth);
    }
    return set;
}

static unsigned orders_in_merged(LLVMValueRef phi, int depth)
{
    unsigned set = 0;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        set |= orders_in(LLVMGetIncomingValue(phi, k), depth);
    return set;
}

static unsigned orders_in(LLVMValueRef v, int depth)
{
    uint64_t order = LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : LOAD_ORDER_UNKNOWN;
    if (order <= LOAD_SEQ_CST)
        return 1u << order;
    if (++depth > MAX_DEPTH)
        return UNKNOWN;
    if (LLVMIsAPHINode(v))
        return orders_in_merged(v, depth);
    if (LLVMIsASelectInst(v))
        return orders_in(LLVMGetOperand(v, 1), depth) | orders_in(LLVMGetOperand(v, 2), depth);
    if (LLVMIsALoadInst(v) && LLVMIsAAllocaInst(LLVMGetOperand(v, 0)))
        return orders_in_variable(LLVMGetOperand(v, 0), depth);
    return LLVMIsAArgument(v) ? orders_in_parameter(v, depth) : UNKNOWN;
}

/* Returns the weakest order that a value is known to have; LOAD_ORDER_UNKNOWN if it may be
 * weak. */
static int weakest_in(LLVMValueRef v)
{
    unsigned set = orders_in(v, 0);
    int order = 0;
    while (order < LOAD_SEQ_CST && !(set >> order & 1))
        order++;
    return order == LOAD_SEQ_CST && set & UNKNOWN ? LOAD_ORDER_UNKNOWN : order;
}

int load_passed_order(LLVMValueRef call, unsigned n, bool first)
{
    unsigned given = LLVMGetNumArgOperands(call);
    int order = LOAD_SEQ_CST;
    for (unsigned k = n <= given ? given - n : given; k < given && order == LOAD_SEQ_CST; k++) {
        order = weakest_in(LLVMGetOperand(call, k));
        if (first)
            break;
    }
    return order;
}

/* ---- instructions ---------------------------------------------------------------- */

/* Returns the only instruction that leads to a block, or NULL. */
static LLVMValueRef branch_to(LLVMBasicBlockRef block)
{
    LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef branch = u ? LLVMGetUser(u) : NULL;
    for (; u; u = LLVMGetNextUse(u))
        if (LLVMGetUser(u) != branch)
            return NULL;
    return branch && LLVMIsAInstruction(branch) ? branch : NULL;
}

static bool has_case(LLVMValueRef branch, uint64_t value)
{
    bool found = false;
    for (unsigned k = 2; k + 1 < (unsigned)LLVMGetNumOperands(branch) && !found; k += 2)
        found = LLVMConstIntGetZExtValue(LLVMGetOperand(branch, k)) == value;
    return found;
}

/* Is the switch over a memory order?  It has no case for relaxed, which is the default. */
static bool is_over_order(LLVMValueRef branch)
{
    return LLVMIsASwitchInst(branch) && has_case(branch, LOAD_SEQ_CST) && !has_case(branch, 0);
}

/* The values that clang's switches are over which lead to an instruction, or NULL. */
struct given {
    LLVMValueRef order, failure;
};

static struct given given_to(LLVMValueRef i)
{
    struct given given = {0};
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
    LLVMValueRef branch = i;
    for (int k = 0; k < MAX_BRANCHES && location; k++) {
        branch = branch_to(LLVMGetInstructionParent(branch));
        if (!branch || LLVMInstructionGetDebugLoc(branch) != location)
            break;
        if (!is_over_order(branch))
            continue;
        bool of_failure = LLVMIsAAtomicCmpXchgInst(i) && !has_case(branch, ACQ_REL);
        *(of_failure ? &given.failure : &given.order) = LLVMGetOperand(branch, 0);
    }
    return given;
}

static int order_of(LLVMAtomicOrdering ordering)
{
    switch (ordering) {
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic: return 0;
    case LLVMAtomicOrderingAcquire: return 2;
    case LLVMAtomicOrderingRelease: return 3;
    case LLVMAtomicOrderingAcquireRelease: return ACQ_REL;
    case LLVMAtomicOrderingNotAtomic:
    case LLVMAtomicOrderingSequentiallyConsistent: break;
    }
    return LOAD_SEQ_CST;
}

static int order_or(LLVMValueRef given, LLVMAtomicOrdering ordering)
{
    return given ? weakest_in(given) : order_of(ordering);
}

int load_memory_order(LLVMValueRef i, bool first)
{
    if ((LLVMIsALoadInst(i) && !load_is_guard(i)) || LLVMIsAStoreInst(i) ||
        LLVMIsAAtomicRMWInst(i)) {
        LLVMAtomicOrdering ordering = LLVMGetOrdering(i);
        return ordering == LLVMAtomicOrderingNotAtomic ? LOAD_SEQ_CST
                                                       : order_or(given_to(i).order, ordering);
    }
    if (!LLVMIsAAtomicCmpXchgInst(i))
        return LOAD_SEQ_CST;
    struct given given = given_to(i);
    int order = order_or(given.order, LLVMGetCmpXchgSuccessOrdering(i));
    return first || order != LOAD_SEQ_CST
               ? order
               : order_or(given.failure, LLVMGetCmpXchgFailureOrdering(i));
}

/* The guard that says whether a static local variable was made is read by the compiler's code,
 * not by the program's. */
bool load_is_guard(LLVMValueRef load)
{
    size_t n;
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    return LLVMIsAGlobalVariable(pointer) &&
           !strncmp(LLVMGetValueName2(pointer, &n), "_ZGV", 4);
}
