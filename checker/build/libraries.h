/* libraries.h - libraries that a command line names.  Values; single-threaded. */
#ifndef CHECKER_LIBRARIES_H
#define CHECKER_LIBRARIES_H

#include "checker/memory.h"

struct library {
    const char *name;
    const char *script; /* of the runtime's folder, "" if it needs none */
    bool has_main;
};

bool library_is_of_host(const char *path); /* a folder of the host's libraries, or in one */
/* Returns the runtime's library that a word (-lNAME, or a file of the host's) stands for, or
 * NULL.  The options are those of the linker: -L may name a folder with one of the user's
 * own. */
const struct library *library_ours(const struct strings *options, const char *word);
/* Has the host the library as machine code alone, and no folder given with -L has it? */
bool library_is_shared_only(const struct strings *options, const char *name);
/* Returns libNAME.a in a folder given with -L, malloc'ed, or NULL. */
char *library_find(const struct strings *options, const char *name);

#endif
