/* includes.h - the files that a compilation has read and the folders in which it has looked for
 * them, as a text that tells later whether clang would read the same again (the "direct mode"
 * of ccache, which does not see headers that come before those found; this one does).
 *
 * A file is the same if what stat() says of it is: device, number, size, and both dates.  So a
 * file that has changed just before or since the compilation began is not trusted, and nothing
 * is noted.  A folder without a new date has no new file; for a folder of the user's with a new
 * date, those names are looked up that an #include or a __has_include would have found there.
 *
 * Single-threaded. */
#ifndef CHECKER_INCLUDES_H
#define CHECKER_INCLUDES_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "checker/memory.h"

/* Is it a folder in which only installing software makes new files? */
bool includes_installed(const char *path, const char *runtime);

struct includes {
    const char *runtime;
    struct timespec started; /* by the clock that dates files: includes_now() */
    struct strings folders;  /* clang looks for headers here, in any order */
    struct strings files;    /* and has read these */
};

struct timespec includes_now(void);
/* Adds the files of a list that clang has written for make (-MD); false if it cannot be read.
 */
bool includes_read(struct includes *includes, const char *list);
/* Sorts and writes both lists.  False if what was read cannot be told by dates alone. */
bool includes_write(struct includes *includes, FILE *out);
/* Is everything as it was?  Reads the text up to the empty line at its end, which is left
 * behind; NULL if anything has changed. */
const char *includes_unchanged(const char *text, const char *end);

#endif
