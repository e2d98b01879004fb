/* load_kept.h - programs that were loaded before, which the caller of the loader keeps
 * (struct vm_kept). */
#ifndef VM_LOAD_KEPT_H
#define VM_LOAD_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "vm/program.h"

/* Hashes what the program depends on: its files and the loader's options.  False if the program
 * cannot be kept. */
bool load_kept_key(const struct vm_load *load, uint64_t key[2]);
/* The program that was kept under the key, or NULL. */
struct vm_program *load_recall(const struct vm_load *load, const uint64_t key[2]);
/* Keeps the program, unless its files have changed since the key was made. */
void load_keep(const struct vm_load *load, const uint64_t key[2],
               const struct vm_program *program);

#endif
