/* object_cache.h - a cache of the bitcode that clang made of source files: clang need not even
 * be started if what it would read is as it was (includes.h).
 *
 * Kept is what clang made without a word, from options that say all of what it reads.
 * Single-threaded; processes may use the cache at the same time. */
#ifndef CHECKER_OBJECT_CACHE_H
#define CHECKER_OBJECT_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/build/includes.h"
#include "checker/memory.h"

/* Makes the key of a compilation: clang and its options, those of them that are the user's, and
 * the source.  False if what comes of it is not to be kept. */
bool object_key(const struct strings *args, const struct strings *users, const char *file,
                uint64_t key[2]);
/* Writes the bitcode to the file, if it is kept and still true. */
bool object_find(const uint64_t key[2], const char *output);
/* Lists the folders in which clang looks, by its options. */
void object_folders(const struct strings *args, struct strings *folders);
/* Keeps the file, which clang has made of these. */
void object_keep(const uint64_t key[2], struct includes *includes, const char *output);

#endif
