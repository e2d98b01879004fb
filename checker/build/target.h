/* target.h - clang's options for the guest's target, and for its headers.
 *
 * What is added is copied.  Single-threaded. */
#ifndef CHECKER_TARGET_H
#define CHECKER_TARGET_H

#include "checker/memory.h"

void target_words(struct strings *args, const char *const *words, size_t n);
/* Adds the target alone, without headers. */
void target_add(struct strings *args);
/* Adds option RUNTIME/folder. */
void target_headers(struct strings *args, const char *option, const char *runtime,
                    const char *folder);
/* Adds the host's folders, behind all others. */
void target_host_folders(struct strings *args, const char *runtime);

/* Is a folder of headers searched in any case, after the guest's own? */
bool cc_is_host_folder(const char *folder);
/* Adds the options of the guest's target and headers, and of its code. */
void cc_target(struct strings *args, const char *runtime);
void cc_machine(struct strings *args);
/* Adds options by whether the arguments so far optimise: markers of blocks for the lifetimes of
 * variables, or no tables that depend on addresses. */
void cc_scopes(struct strings *args);

#endif
