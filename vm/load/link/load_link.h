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
/* A module, or what an ELF file carries: added to the list. */
bool link_parse(struct loader *l, const char *data, size_t size, const char *name,
                struct list *modules);
/* All as one, or NULL; takes the modules. */
LLVMModuleRef link_join(struct loader *l, const struct list *modules, const char *name);
/* Looks through a module of the program's own for what is refused; false if there is any. */
bool link_is_fit(struct loader *l, LLVMModuleRef module, const char *name);
const void *link_name(const char *name); /* a key for maps */
bool link_is_local(LLVMValueRef v);
/* Called from outside, or by what the loader makes (resume). */
bool link_is_entry(const struct loader *l, const char *name);
/* Functions, variables and aliases. */
void link_visit(LLVMModuleRef module, void (*visit)(LLVMValueRef v, void *context),
                void *context);
bool link_drop(struct loader *l, LLVMModuleRef module); /* what nothing reaches */
bool link_fold(struct loader *l, LLVMModuleRef module); /* what constants say */
bool link_simplify(struct loader *l, LLVMModuleRef module);

/* load_runtime.c: what l->module needs of the archives, or NULL */
LLVMModuleRef link_runtime(struct loader *l);
/* Links those members of the user's archives that the program's module needs. */
bool link_own(struct loader *l);
/* Names of the program's module that the archives have, too, and no header has, become its own.
 */
bool link_hide_names(struct loader *l);

#endif
