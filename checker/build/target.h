/* target.h - the guest's target: clang's options for it, and where headers are.
 *
 * What is added is copied.  Single-threaded. */
#ifndef CHECKER_TARGET_H
#define CHECKER_TARGET_H

#include "checker/memory.h"

void target_words(struct strings *args, const char *const *words, size_t n);
/* The target alone, without headers. */
void target_add(struct strings *args);
/* option RUNTIME/folder. */
void target_headers(struct strings *args, const char *option, const char *runtime,
                    const char *folder);
/* The host's, behind all others. */
void target_host_folders(struct strings *args, const char *runtime);

/* Whether a folder of headers is searched in any case, after the guest's own. */
bool cc_is_host_folder(const char *folder);
/* The options of the guest's target and headers; those of its code. */
void cc_target(struct strings *args, const char *runtime);
void cc_machine(struct strings *args);
/* Adds options by whether the arguments so far optimise: markers of blocks for the lifetimes of
 * variables, or no tables that depend on addresses. */
void cc_scopes(struct strings *args);

#endif
