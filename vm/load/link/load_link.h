/* load_link.h - from files to the one module that is translated, with what it needs of the
 * archives.
 *
 * Modules that are passed stay the caller's, unless it says otherwise; l->module is the
 * loader's. */
#ifndef VM_LOAD_LINK_H
#define VM_LOAD_LINK_H

#include <llvm-c/Core.h>

#include "vm/load/load.h"

bool load_link(struct loader *l); /* l->module, complete */
/* Parses a module, or the modules that an ELF file carries, and adds them to the list. */
bool link_parse(struct loader *l, const char *data, size_t size, const char *name,
                struct list *modules);
/* Links all modules into one, or returns NULL; takes the modules. */
LLVMModuleRef link_join(struct loader *l, const struct list *modules, const char *name);
/* Refuses a module of the program's own that calls what divm refuses; false if it does. */
bool link_is_fit(struct loader *l, LLVMModuleRef module, const char *name);
const void *link_name(const char *name); /* a key for maps */
bool link_is_local(LLVMValueRef v);
/* Is the function called from outside, or by what the loader makes (resume)? */
bool link_is_entry(const struct loader *l, const char *name);
/* Visits functions, variables and aliases. */
void link_visit(LLVMModuleRef module, void (*visit)(LLVMValueRef v, void *context),
                void *context);
bool link_drop(struct loader *l, LLVMModuleRef module); /* drops functions and variables that
                                                         * nothing reaches */
bool link_fold(struct loader *l, LLVMModuleRef module); /* folds constants */
bool link_simplify(struct loader *l, LLVMModuleRef module);

/* load_runtime.c: returns the members of the archives that l->module needs, as one module, or
 * NULL. */
LLVMModuleRef link_runtime(struct loader *l);
/* Links those members of the user's archives that the program's module needs. */
bool link_own(struct loader *l);
/* Makes names of the program's module its own that the archives define, too, and that no header
 * has. */
bool link_hide_names(struct loader *l);

#endif
