/* load_elf.h - modules in objects and executables, as compilers for build systems make them.
 *
 * What it gives are places in the bytes that are passed. */
#ifndef VM_LOAD_ELF_H
#define VM_LOAD_ELF_H

#include <stdbool.h>
#include <stddef.h>

/* elf_is: is this an ELF file of ours?  elf_bitcode: the modules that it carries, one behind
 * the other, or NULL.  elf_module: the length of the first of them, 0 if there is none. */
bool elf_is(const void *data, size_t size);
const char *elf_bitcode(const void *data, size_t size, size_t *length);
size_t elf_module(const char *bitcode, size_t length);

#endif
