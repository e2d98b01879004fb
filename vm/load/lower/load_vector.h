/* load_vector.h - aggregates and vectors. */
#ifndef VM_LOAD_VECTOR_H
#define VM_LOAD_VECTOR_H

#include <llvm-c/Core.h>

#include "vm/load/lowering.h"

void lower_extract(struct lowering *w, LLVMValueRef i);
void lower_insert(struct lowering *w, LLVMValueRef i);
void lower_element(struct lowering *w, LLVMValueRef i, bool insert);
void lower_shuffle(struct lowering *w, LLVMValueRef i);
void lower_select(struct lowering *w, LLVMValueRef i);
void lower_freeze(struct lowering *w, LLVMValueRef i);
void lower_vector_gep(struct lowering *w, LLVMValueRef i);

#endif
