/* exit.h - the end of the process. */
#ifndef OS_EXIT_H
#define OS_EXIT_H

#include "os/state.h"

/* Ends the process: a visible action, then exit status and leaks are checked. */
_Noreturn void os_exit(int status);

#endif
