/* load_scope.h - the marks that clang makes where blocks begin and end. */
#ifndef VM_LOAD_SCOPE_H
#define VM_LOAD_SCOPE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum load_mark { LOAD_NO_MARK, LOAD_BEGINS, LOAD_ENDS };
enum load_mark load_mark(LLVMValueRef i);
/* Returns the local variable whose beginning or end a mark is. */
LLVMValueRef load_marked(LLVMValueRef mark);
bool load_has_mark(LLVMValueRef alloca, enum load_mark mark);

#endif
