/* unexplored.h - what an incomplete search leaves unexplored: which threads and source lines
 * act next, on which variables.
 *
 * A struct check_unexplored owns its texts. */
#ifndef CHECKER_UNEXPLORED_H
#define CHECKER_UNEXPLORED_H

#include "check.h"
#include "guard.h"

struct search;

/* Explores a sample of the states that are left, for a quarter of a second at most.  By worker
 * 0 at the end, while all others wait and none has closed its machine; the states are gone
 * then. */
void unexplored_sample(struct search *search, struct check_unexplored *unexplored);
void unexplored_fini(struct check_unexplored *unexplored);

/* Does so with the states that `take` returns, up to a NULL; machine: with which options they
 * were made. */
void unexplored_look(const struct vm_program *program, const struct vm_options *machine,
                     const struct check_options *options,
                     struct vm_state *(*take)(void *context), void *context,
                     struct check_unexplored *unexplored);

/* What a machine's transitions begin with is added, but for those before which `passes` is
 * set.  All zero but the first two to begin with. */
struct unexplored_sample {
    struct check_unexplored *unexplored;
    struct vm *vm;
    bool passes;
    uint64_t tid; /* the thread that runs, 0: not known yet */
    bool acted;
    size_t max_lines, max_threads;
};
/* Listens to the machine. */
void unexplored_hear(struct unexplored_sample *sample);
/* Puts lines in their order when all is heard. */
void unexplored_sort(struct check_unexplored *unexplored);
/* Begins to watch the limits of a sample, in this copy of the options.  Interrupts are ignored,
 * since whoever interrupts the search waits for this, too; and memory is as scarce as it is. */
void unexplored_guard(struct guard *guard, struct check_options *options);

#endif
