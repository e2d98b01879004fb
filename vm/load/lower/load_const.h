/* load_const.h - constants and global variables. */
#ifndef VM_LOAD_CONST_H
#define VM_LOAD_CONST_H

#include <llvm-c/Core.h>

#include "vm/load/load.h"

bool load_globals(struct loader *l);
bool load_boot(struct loader *l);
uint32_t load_type_regs(struct loader *l, LLVMTypeRef type); /* registers of a value */
/* Register k of a constant; false if its value cannot be known. */
bool load_const_reg(struct loader *l, LLVMValueRef c, uint32_t k, struct vm_const *out);
/* The bytes that a constant GEP adds to its address. */
bool load_const_offset(struct loader *l, LLVMValueRef c, int64_t *out);
/* The value of &&label. */
uint64_t load_label(struct loader *l, LLVMValueRef function, LLVMBasicBlockRef block);
uint32_t load_value(struct loader *l, struct vm_const c); /* into the pool */

#endif
