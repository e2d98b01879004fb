/* load_func.h - functions: their blocks, values and registers, and what is emitted. */
#ifndef VM_LOAD_FUNC_H
#define VM_LOAD_FUNC_H

#include <llvm-c/Core.h>

#include "vm/load/lowering.h"

bool load_function(struct loader *l, uint32_t index, bool notes);
uint32_t lower_new(struct lowering *w, uint32_t n);        /* n virtual registers */
uint32_t lower_result(struct lowering *w, LLVMValueRef v); /* registers of a value */
uint32_t lower_use(struct lowering *w, LLVMValueRef v);    /* where a value is */
struct vm_insn *lower_emit(struct lowering *w, struct vm_insn insn);
void lower_unsupported(struct lowering *w, const char *what, bool bad_call);
void lower_jump(struct lowering *w, LLVMBasicBlockRef to);
uint32_t lower_target(struct lowering *w, LLVMBasicBlockRef to);
void lower_fix(struct lowering *w, uint32_t insn, int field, uint32_t target);

#endif
