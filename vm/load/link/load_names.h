/* load_names.h - names in the program that are not for it (hypercalls), or that stand in the
 * way of an archive's. */
#ifndef VM_LOAD_NAMES_H
#define VM_LOAD_NAMES_H

#include <llvm-c/Core.h>

#include "vm/load/load.h"

/* load_names.c: refuses a module of the program's that refers to a hypercall; returns false
 * then. */
bool load_has_no_hypercalls(struct loader *l, LLVMModuleRef module, const char *file);
/* Is the name hidden if the archives have it, too?  Then the program's gets another name. */
bool load_is_hidden_name(const struct loader *l, LLVMValueRef v);
void load_hide_name(LLVMValueRef v);
size_t load_name_length(const char *name); /* as its author wrote it */

#endif
