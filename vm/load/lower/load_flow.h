/* load_flow.h - branches, switches, returns; where exceptions lead to; and the variables that
 * end with their blocks. */
#ifndef VM_LOAD_FLOW_H
#define VM_LOAD_FLOW_H

#include <llvm-c/Core.h>

#include "vm/load/lowering.h"

/* load_flow.c */
void lower_br(struct lowering *w, LLVMValueRef i);
void lower_callbr(struct lowering *w, LLVMValueRef i);
void lower_switch(struct lowering *w, LLVMValueRef i);
void lower_indirect(struct lowering *w, LLVMValueRef i);
void lower_ret(struct lowering *w, LLVMValueRef i);

/* load_unwind.c */
void lower_unwind_edge(struct lowering *w, LLVMValueRef invoke, uint32_t call);
void lower_resume(struct lowering *w, LLVMValueRef i);
void lower_selector(struct lowering *w, LLVMValueRef call); /* llvm.eh.typeid.for */
/* Returns the guest pointer of the table of struct vm_landing, and its length. */
uint64_t load_landings(struct loader *l, uint64_t *count);
/* Returns the guest pointer of the table of struct vm_functions that throw nothing, and its
 * length. */
uint64_t load_nounwind(struct loader *l, uint64_t *count);

/* load_scoped.c: finds the marks that lower_mark is to act on. */
void lower_scopes(struct lowering *w);
void lower_mark(struct lowering *w, LLVMValueRef call);
/* Returns the variable's number in its function if it ends at a mark, else 0; anew: it is also
 * made at a mark. */
uint32_t lower_scoped(struct lowering *w, LLVMValueRef alloca, bool *anew);

/* load_trap.c: lowers the trap of a check of clang's. */
void lower_trap(struct lowering *w, LLVMValueRef trap);

#endif
