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
/* The table of struct vm_landing: its guest pointer, and how many there are. */
uint64_t load_landings(struct loader *l, uint64_t *count);
/* The table of struct vm_functions that say that nothing is thrown out of them, and its length.
 */
uint64_t load_nounwind(struct loader *l, uint64_t *count);

/* load_scoped.c: the marks that are left are those that lower_mark is to mind */
void lower_scopes(struct lowering *w);
void lower_mark(struct lowering *w, LLVMValueRef call);
/* Its number in its function if it ends at a mark, else 0; and whether it is made at one. */
uint32_t lower_scoped(struct lowering *w, LLVMValueRef alloca, bool *anew);

/* load_trap.c: a check of clang's that has failed */
void lower_trap(struct lowering *w, LLVMValueRef trap);

#endif
