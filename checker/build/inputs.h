/* inputs.h - files of the host that a program may read: --stdin and --capture. */
#ifndef CHECKER_INPUTS_H
#define CHECKER_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "checker/memory.h"
#include "vm/vm.h"

/* Reads the files that --stdin and --capture name, to be freed; false after a message. */
bool inputs_read(const struct strings *list, struct vm_file **files, size_t *n);
void inputs_free(struct vm_file *files, size_t n);

#endif
