/* crash.h - survives a crash of a library that is given what others have made. */
#ifndef CHECKER_CRASH_H
#define CHECKER_CRASH_H

#include <stdbool.h>

/* Runs body in the calling thread; false if it crashed.  Then what it was about to change is
 * neither as it was nor as it will be, and it holds what it has taken: nobody is to use it. */
bool crash_survived(void (*body)(void *context), void *context);

#endif
