/* interrupt.h - requests of the user to a command that runs: to end, or to tell how far it is.
 *
 * Signal handlers of the command set these, all threads may read them. */
#ifndef CHECKER_INTERRUPT_H
#define CHECKER_INTERRUPT_H

#include <stdbool.h>

/* Not 0: the command is to end. */
extern _Atomic int check_interrupted;
/* Not 0: somebody wants to know how far the command is; the reader clears it. */
extern _Atomic int check_asked;
bool check_is_interrupted(void);

#endif
