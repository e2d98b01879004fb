/* cache.h - a folder for what is made once, for all who run divm.
 *
 * What is returned is the caller's, to be freed.  Processes may use it at the same time. */
#ifndef CHECKER_CACHE_H
#define CHECKER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/vm.h"

/* Returns the folder, made if need be, malloc'ed, NULL if there is none; inside: "/NAME". */
char *cache_folder(const char *inside);
/* Removes files with the suffix in their names, those first that were not used for longest,
 * until they have no more bytes than this. */
void cache_trim(const char *folder, const char *suffix, size_t bytes);
/* Notes that the file was used now. */
void cache_use(const char *file);
/* Returns all of a file, malloc'ed; NULL if it is none or cannot be read. */
char *cache_read(const char *file, size_t *size);
/* Writes a file of two parts, beside its place, and moves it there when it is whole. */
bool cache_write(const char *file, const void *head, size_t nhead, const void *data, size_t n);

/* What the loader has linked of the archives; what it has loaded, all of it; and what clang has
 * made (object_cache.h). */
extern const struct vm_kept cache_linked;
extern const struct vm_kept cache_programs;
extern const struct vm_kept cache_objects;

#endif
