/* load_trap.c - traps: checks of clang's that have failed, and places that are never
 * reached. */
#include "vm/load/lower/load_flow.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lowering.h"
#include "vm/load/prepare/load_check.h"

void lower_trap(struct lowering *w, LLVMValueRef trap)
{
    bool of_index = load_is_checked(trap, VM_CHECKED_INDEX);
    if (!of_index && !load_is_checked(trap, VM_CHECKED_LENGTH)) {
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNREACHABLE});
        return;
    }
    struct vm_insn x = {.op = VM_OP_CHECKED,
                        .k = of_index ? VM_CHECKED_INDEX : VM_CHECKED_LENGTH};
    LLVMValueRef jump = load_jump_to(trap), check = jump ? LLVMGetCondition(jump) : NULL;
    LLVMValueRef value = LLVMGetOperand(trap, 0), limit = value;
    if (check && LLVMIsAICmpInst(check)) {
        value = LLVMGetOperand(check, 0), limit = LLVMGetOperand(check, 1);
        x.w = (uint8_t)lower_width(w, LLVMTypeOf(value));
    }
    x.a = lower_use(w, value);
    x.b = lower_use(w, limit);
    lower_emit(w, x);
}
