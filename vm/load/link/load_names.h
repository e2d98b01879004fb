/* load_names.h - names of the program's that are not for it, or that stand in the way of an
 * archive's. */
#ifndef VM_LOAD_NAMES_H
#define VM_LOAD_NAMES_H

#include <llvm-c/Core.h>

#include "vm/load/load.h"

/* load_names.c: does a module of the program's refer to no hypercall?  If it does, that is an
 * error. */
bool load_has_no_hypercalls(struct loader *l, LLVMModuleRef module, const char *file);
/* Would it be hidden if the archives have the name?  It gets another one. */
bool load_is_hidden_name(const struct loader *l, LLVMValueRef v);
void load_hide_name(LLVMValueRef v);
size_t load_name_length(const char *name); /* as its author wrote it */

#endif
