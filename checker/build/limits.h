/* limits.h - the limits of the command, which compiling and loading must keep, and how they
 * ended.
 *
 * The commands set them before they compile; one thread. */
#ifndef CHECKER_LIMITS_H
#define CHECKER_LIMITS_H

#include "checker/search/apart.h"
#include "checker/search/check.h"

/* If they ended other than by APART_DONE, something was left as it was, and the process must
 * end without what cleans up (_exit). */
struct build_limits {
    struct check_options options; /* max_seconds, deadline, max_bytes and interrupted */
    enum apart_end end;
};
extern struct build_limits build_limits;

#endif
