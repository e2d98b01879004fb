/* load_kept.h - programs that were loaded before, which the caller of the loader keeps
 * (struct vm_kept). */
#ifndef VM_LOAD_KEPT_H
#define VM_LOAD_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "vm/program.h"

/* What the program depends on; false if it is none to be kept. */
bool load_kept_key(const struct vm_load *load, uint64_t key[2]);
/* Unless the files have changed since the key was made. */
void load_keep(const struct vm_load *load, const uint64_t key[2],
               const struct vm_program *program);

#endif
