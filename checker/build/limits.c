/* limits.c - see limits.h. */
#include "checker/build/limits.h"
#include "checker/search/interrupt.h"

struct build_limits build_limits = {.options.interrupted = &check_interrupted};
