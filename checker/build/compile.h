/* compile.h - compiles source files by clang and loads the program.
 *
 * What is returned is the caller's, to be freed.  Limits are those of build/limits.h.
 * Single-threaded. */
#ifndef CHECKER_COMPILE_H
#define CHECKER_COMPILE_H

#include <stdbool.h>

#include "checker/build/framework.h"
#include "checker/program.h"
#include "vm/vm.h"

/* Returns the loaded program, or NULL after a message on standard error; *framework: which one
 * its tests are written for. */
struct vm_program *compile_and_load(const struct cli_program *program, bool verbose,
                                    enum framework *framework);
/* Starts a loaded program with the arguments, environment and options of now. */
void compile_start(struct vm_program *loaded, const struct cli_program *program);
/* Returns the folder of the guest's headers and archives, malloc'ed; NULL after a message. */
char *compile_runtime(void);
const char *compile_clang(void);
/* Returns a new temporary folder, malloc'ed, or NULL after a message; it is removed with its
 * files. */
char *compile_folder(void);
void compile_remove(const char *folder);
/* In a signal handler, after which the process ends: removes the folder, if there is one, by
 * another process. */
void compile_abandon(void);

#endif
