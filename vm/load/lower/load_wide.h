/* load_wide.h - integers of more than 64 bits, x86_fp80 and fp128. */
#ifndef VM_LOAD_WIDE_H
#define VM_LOAD_WIDE_H

#include <llvm-c/Core.h>

#include "vm/exec/apint.h"
#include "vm/exec/longdouble.h"
#include "vm/load/lowering.h"

/* load_apint.c: integers of more than 64 bits; false if i is none of these */
bool lower_apint(struct lowering *w, LLVMValueRef i);
bool lower_is_apint(LLVMTypeRef type);
unsigned lower_int_bits(LLVMTypeRef type); /* of an integer or of a vector's, else 0 */
void lower_apint_lanes(struct lowering *w, LLVMValueRef i, enum vm_apint_op op, unsigned flags,
                       LLVMTypeRef from, LLVMTypeRef to, const uint32_t *use);
void lower_recast(struct lowering *w, uint32_t d, LLVMTypeRef to, uint32_t a, LLVMTypeRef from);
LLVMTypeRef lower_packed(struct lowering *w, LLVMTypeRef t);

/* load_longdouble.c: x86_fp80 and fp128; false if i is none of these */
bool lower_is_longdouble(LLVMTypeRef type);
struct vm_const load_longdouble_const(LLVMValueRef c, uint32_t k);
bool lower_longdouble(struct lowering *w, LLVMValueRef i, LLVMOpcode op);
bool lower_longdouble_intrinsic(struct lowering *w, LLVMValueRef call, enum vm_longdouble_op op,
                                unsigned detail, unsigned operands);

#endif
