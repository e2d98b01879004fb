/* nearest.h - the name that somebody may have meant who has written an unknown one. */
#ifndef CHECKER_NEAREST_H
#define CHECKER_NEAREST_H

#include <stddef.h>

/* Returns the nearest of the names, or NULL if none is near. */
const char *check_nearest(const char *word, const char *const *names, size_t n);

#endif
