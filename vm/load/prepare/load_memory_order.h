/* load_memory_order.h - the memory orders of atomic accesses, by C's numbers. */
#ifndef VM_LOAD_MEMORY_ORDER_H
#define VM_LOAD_MEMORY_ORDER_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum { LOAD_SEQ_CST = 5, LOAD_ORDER_UNKNOWN }; /* the latter: before the program runs */
/* Returns the memory order of an atomic access.  If only the order of a compare-exchange's
 * failure is weak, it returns that, unless `first`.  LOAD_SEQ_CST for any other instruction. */
int load_memory_order(LLVMValueRef instruction, bool first);
/* Returns the first weak order among a call's last n arguments, which are orders; only the
 * first of them counts if `first`. */
int load_passed_order(LLVMValueRef call, unsigned n, bool first);

/* Does the load read the guard of a static local variable?  The compiler has made it, not the
 * program. */
bool load_is_guard(LLVMValueRef load);

#endif
