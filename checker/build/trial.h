/* trial.h - whether a program can be loaded without a crash. */
#ifndef CHECKER_TRIAL_H
#define CHECKER_TRIAL_H

#include <stdbool.h>

#include "vm/vm.h"

/* Tries in a child process.  False with *error (malloc'ed), or by build_limits.end. */
bool trial_survives(const struct vm_load *load, char **error);
/* Returns the error of a program whose loading crashes, malloc'ed, or NULL. */
char *trial_error(const struct vm_load *load);

#endif
