/* nearest.h - what somebody who has written an unknown name may have meant. */
#ifndef CHECKER_NEAREST_H
#define CHECKER_NEAREST_H

#include <stddef.h>

/* The nearest of the names, or NULL if none is near. */
const char *check_nearest(const char *word, const char *const *names, size_t n);

#endif
