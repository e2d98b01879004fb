/* load_memory.h - instructions that access memory, and those that make local variables. */
#ifndef VM_LOAD_MEMORY_H
#define VM_LOAD_MEMORY_H

#include <llvm-c/Core.h>

#include "vm/load/lowering.h"

void lower_access(struct lowering *w, LLVMValueRef i, bool store);
void lower_fence(struct lowering *w, LLVMValueRef i);
/* light: VM_LIGHT, or 0. */
void lower_full_fence(struct lowering *w, uint8_t light);
/* An element of a vector, at pointer + offset. */
void lower_element_access(struct lowering *w, uint32_t pointer, uint64_t offset, uint32_t value,
                          LLVMTypeRef t, unsigned align, bool store);
/* Returns a mask of the address bits that must be 0 where the author has promised an alignment,
 * which is looked at up to 128 bytes; 0 if it is not checked. */
uint8_t lower_alignment_mask(const struct lowering *w, uint64_t align);
/* The same for what argument k of a call points to. */
uint8_t lower_argument_mask(const struct lowering *w, LLVMValueRef call, unsigned k);
void lower_rmw(struct lowering *w, LLVMValueRef i);
void lower_cmpxchg(struct lowering *w, LLVMValueRef i);
void lower_alloca(struct lowering *w, LLVMValueRef i);
void lower_make(struct lowering *w, LLVMValueRef alloca); /* here */
void lower_va_arg(struct lowering *w, LLVMValueRef i);
void lower_gep(struct lowering *w, LLVMValueRef i);

#endif
