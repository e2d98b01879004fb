/* processors.h - the processors that this process may use.
 *
 * Threads: of the calling thread alone. */
#ifndef CHECKER_PROCESSORS_H
#define CHECKER_PROCESSORS_H

/* Returns how many processors the calling thread may run on: at least one. */
unsigned processors_count(void);
/* Returns which of them it is running on, from 0. */
unsigned processors_present(void);
/* Binds the calling thread to the k-th, modulo their number.  Failure is ignored. */
void processors_stay(unsigned k);

#endif
