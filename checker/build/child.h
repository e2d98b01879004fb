/* child.h - commands that divm runs, and children of its own: they keep the limits of the
 * command (build/limits.h), and end when it is asked to.
 *
 * Single-threaded. */
#ifndef CHECKER_CHILD_H
#define CHECKER_CHILD_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "checker/memory.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"

/* Waits for a child within limits, else ends it. */
enum apart_end child_wait(pid_t child, const struct check_options *limits, int *status);
/* Runs a command.  Returns its exit status, or -1: after a message, or since build_limits.end
 * says so. */
int compile_run(struct strings *args, bool verbose);
/* Runs a command as compile_run does.  Its messages go to the file and are shown when it has
 * ended; *told says whether there were any. */
int compile_run_telling(struct strings *args, const char *file, bool *told);
/* Runs a command that may fail, since nobody depends on it. */
int compile_run_silently(struct strings *args);
/* Returns when the file that is run as this command was changed; 0 if there is none. */
struct timespec child_date(const char *command);

#endif
