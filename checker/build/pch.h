/* pch.h - precompiled headers of C++'s library, made once for each set of options. */
#ifndef CHECKER_PCH_H
#define CHECKER_PCH_H

#include <stdbool.h>
#include <time.h>

#include "checker/memory.h"

/* A precompiled header for these options, malloc'ed; NULL if there is none. */
char *pch_find(const struct strings *args, const char *runtime, bool verbose);
/* The date of what is run as this command; 0 if there is nothing. */
struct timespec pch_date_of(const char *command);

#endif
