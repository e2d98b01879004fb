/* dpor.h - dynamic partial-order reduction: executions instead of states.
 *
 * One execution after the other, each going back to a choice of an earlier one by
 * the machine's undo log; no state is kept or hashed.  Of all executions that differ
 * only in the order of independent events one is looked at.  Source sets and sleep
 * sets: Abdulla, Aronsson, Jonsson and Sagonas, "Optimal dynamic partial order
 * reduction" (POPL 2014), Algorithm 1; an event that makes a thread wait is met by
 * looking at what the thread would have read.
 *
 * It is complete for programs all of whose executions end.  Of others, and of those
 * with effects that the log of accesses does not show, it says DPOR_UNSUITED.
 * Belongs to one thread. */
#ifndef CHECKER_DPOR_H
#define CHECKER_DPOR_H

#include "checker/search/check.h"
#include "store/store.h"

enum dpor_end {
    DPOR_MORE,     /* the budget is used up: call dpor_run again */
    DPOR_COMPLETE, /* everything seen, no error */
    DPOR_ERROR,    /* dpor_path leads to it */
    DPOR_UNSUITED, /* another search must answer */
};

struct dpor;

/* Returns the assumptions without which the search is to be repeated (vm_broken); 0: none. */
unsigned dpor_broken(const struct dpor *dpor);
/* Did the search end within a transition, as its machine was halted (vm.h)?  It cannot go on
 * then. */
bool dpor_is_halted(const struct dpor *dpor);
/* Opens a search; NULL if there is no memory.  The machine is halted by machine->halt. */
struct dpor *dpor_open(const struct vm_program *program, const struct vm_options *machine);
void dpor_close(struct dpor *dpor);
/* Returns the instructions of transitions, by the time that they take: where a transition has
 * very many, each of them takes less. */
static inline double dpor_instructions_of(uint64_t instructions, uint64_t transitions)
{
    enum { MANY = 1000, PART = 4 };
    double all = (double)instructions, many = MANY * (double)transitions;
    return all > many ? many + (all - many) / PART : all;
}
/* Returns the work that was done: it goes with the time, and is the same in every run. */
double dpor_work(const struct dpor *dpor);
/* May loads read older stores than the last one?  Then transitions take longer. */
bool dpor_has_values(const struct dpor *dpor);
/* Return how much work there seems to be in all, and is left; HUGE_VAL: it is not known yet. */
double dpor_need(const struct dpor *dpor);
double dpor_left(const struct dpor *dpor);
/* Returns how many objects there are beside those that states know by their ids, in the first
 * executions. */
double dpor_objects(const struct dpor *dpor);
/* Returns how many threads the present execution has had. */
size_t dpor_threads(const struct dpor *dpor);
/* Goes on until so much work was done, or *stop is not 0. */
enum dpor_end dpor_run(struct dpor *dpor, double until, const _Atomic int *stop);
/* Returns the path after DPOR_ERROR: moved to the caller; of a machine without read-only
 * loads. */
struct check_path dpor_path(struct dpor *dpor);
/* Returns why the search cannot answer, after DPOR_UNSUITED, as a sentence without an end. */
const char *dpor_why(const struct dpor *dpor);

enum { DPOR_READ_BITS = 64 };
struct dpor_stats {
    uint64_t executions; /* that were looked at to their end */
    uint64_t cut;        /* given up: equivalent to one that was */
    uint64_t compared;   /* hashes of what threads have read, of DPOR_READ_BITS bits each */
    uint64_t transitions;
    uint64_t marked; /* bytes of large marks, which take longer than the transitions */
    unsigned depth;
};
struct dpor_stats dpor_stats(const struct dpor *dpor);
/* Counts as of the end of the last execution; any thread may ask for them. */
struct dpor_progress {
    uint64_t executions, transitions;
    unsigned depth;
    struct check_forecast in_all; /* executions */
};
struct dpor_progress dpor_progress(const struct dpor *dpor);
struct vm_stats dpor_machine(const struct dpor *dpor);

/* dpor_unexplored.c: looks at where the present execution branches, for a quarter of a second
 * at most, after dpor_run has returned DPOR_MORE. */
void dpor_unexplored(const struct dpor *dpor, const struct check_options *options,
                     struct check_unexplored *unexplored);

/* dpor_saved.c: the search as bytes of this program and machine.  dpor_save: where dpor_run has
 * returned DPOR_MORE and the machine is not halted.  dpor_load: a search that was just opened
 * goes on from the bytes, as if it had come there by itself.  False: the stream ended, or the
 * bytes are not of this program. */
bool dpor_save(struct dpor *dpor, const struct store_stream *to);
bool dpor_load(struct dpor *dpor, const struct store_stream *from);

#endif
