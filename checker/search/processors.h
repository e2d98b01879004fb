/* processors.h - the processors that this process may use.
 *
 * Threads: of the calling thread alone. */
#ifndef CHECKER_PROCESSORS_H
#define CHECKER_PROCESSORS_H

/* How many the calling thread may run on: at least one. */
unsigned processors_count(void);
/* Which of them it runs on now, from 0. */
unsigned processors_present(void);
/* From now on it stays on the k-th, modulo their number; where that cannot be, nothing is
 * lost. */
void processors_stay(unsigned k);

#endif
