/* load_memory_order.h - the memory orders of atomic accesses, by C's numbers. */
#ifndef VM_LOAD_MEMORY_ORDER_H
#define VM_LOAD_MEMORY_ORDER_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum { LOAD_SEQ_CST = 5, LOAD_ORDER_UNKNOWN }; /* the latter: before the program runs */
/* Of an atomic access; of a compare-exchange that of a failure where only it is weak, unless
 * the first is all that counts. LOAD_SEQ_CST of any other instruction. */
int load_memory_order(LLVMValueRef instruction, bool first);
/* The first weak one of a call's last n arguments, which are orders; likewise. */
int load_passed_order(LLVMValueRef call, unsigned n, bool first);

/* Of a static local variable's guard: the compiler's own to ask, not the program's. */
bool load_is_guard(LLVMValueRef load);

#endif
