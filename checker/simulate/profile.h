/* profile.h - figures of the first runs of a simulation: how many threads and steps there are,
 * and how many actions each thread does, on which objects.
 *
 * It is filled in by one worker, and only read after that. */
#ifndef CHECKER_PROFILE_H
#define CHECKER_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "random.h"
#include "vm/vm.h"

enum { PROFILE_RUNS = 4 };

/* The actions of one thread on one object; addr 0: all its actions. */
struct profile_count {
    uint64_t addr;
    uint32_t size, number;
    uint64_t actions; /* in all runs */
};

struct profile {
    unsigned runs;
    uint64_t steps; /* of a run, at most */
    uint32_t threads;
    struct profile_count *counts;
    size_t ncounts, max_counts;
    uint32_t *parents; /* by number: of the thread that made it, in the latest run */
    size_t nparents, max_parents;
    struct vm_coming *shared; /* objects that two threads or more act on */
    size_t nshared, max_shared;
};

void profile_fini(struct profile *profile);
/* profile_action: a thread does an action.  profile_thread: who has made a thread. */
void profile_action(struct profile *profile, uint32_t number, const struct vm_coming *coming);
void profile_thread(struct profile *profile, uint32_t number, uint32_t parent);
/* profile_run: a run with so many steps and threads is over.  profile_end: the last one is. */
void profile_run(struct profile *profile, uint64_t steps, uint32_t threads);
void profile_end(struct profile *profile);

/* Returns how many actions a thread does on an object (size 0: in all) in a run, with those of
 * the threads that it makes: the mean, rounded up. */
uint32_t profile_actions(const struct profile *profile, const struct vm_coming *object,
                         uint32_t number);
/* Draws one of the shared objects; size 0 if there is none. */
struct vm_coming profile_draw(const struct profile *profile, struct random *random);

#endif
