/* pch.h - precompiled headers of C++'s library, made once for each set of options. */
#ifndef CHECKER_PCH_H
#define CHECKER_PCH_H

#include <stdbool.h>

#include "checker/memory.h"

/* Returns a precompiled header for these options, malloc'ed; NULL if there is none. */
char *pch_find(const struct strings *args, const char *runtime, bool verbose);
#endif
