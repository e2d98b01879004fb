/* load_check.h - checks that clang makes: which of them the machine asks again. */
#ifndef VM_LOAD_CHECK_H
#define VM_LOAD_CHECK_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Is the trap that of a check of this kind (VM_CHECKED_*)? */
bool load_is_checked(LLVMValueRef trap, unsigned what);
/* The conditional branch that leads to a trap, or NULL. */
LLVMValueRef load_jump_to(LLVMValueRef trap);

#endif
