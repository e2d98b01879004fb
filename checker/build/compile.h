/* compile.h - from source files to a loaded program, by way of clang.
 *
 * What is returned is the caller's, to be freed.  Limits are those of build/limits.h.
 * Single-threaded. */
#ifndef CHECKER_COMPILE_H
#define CHECKER_COMPILE_H

#include <stdbool.h>

#include "checker/build/framework.h"
#include "checker/program.h"
#include "vm/vm.h"

/* The loaded program, or NULL after a message on standard error; and what
 * framework its tests are written for. */
struct vm_program *compile_and_load(const struct cli_program *program, bool verbose,
                                    enum framework *framework);
/* Start a loaded program with the arguments, environment and options of now. */
void compile_start(struct vm_program *loaded, const struct cli_program *program);
/* The folder of the guest's headers and archives, malloc'ed; NULL after a message. */
char *compile_runtime(void);
const char *compile_clang(void);
/* A new temporary folder, malloc'ed, or NULL after a message; removed with its files. */
char *compile_folder(void);
void compile_remove(const char *folder);

#endif
