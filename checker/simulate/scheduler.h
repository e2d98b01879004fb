/* scheduler.h - choosing the next thread of a simulated run.
 *
 * A scheduler is asked wherever two or more threads can go on; each stands before a visible
 * action.  What a scheduler remembers of a run is in struct scheduling and its threads, so that
 * a scheduler is three functions.  A struct scheduling belongs to one worker. */
#ifndef CHECKER_SCHEDULER_H
#define CHECKER_SCHEDULER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile.h"
#include "random.h"
#include "vm/vm.h"

/* A thread of the present run.  The schedulers use the fields below the line as they like; all
 * are 0 when the thread is met first. */
struct sim_thread {
    uint64_t thread;         /* as struct vm_candidate; 0: none has this number */
    uint32_t number, parent; /* parent: the number of the thread that ran when it was met */
    /* ---- */
    uint64_t priority;
    uint32_t left; /* actions that it is expected to do yet, with those of its children */
    bool held;
    bool known; /* coming is right */
    struct vm_coming coming;
};

struct scheduling {
    const struct vm *vm;
    const struct profile *profile; /* of the first runs; immutable */
    const struct scheduler *scheduler;
    unsigned pct_depth;
    struct random random;
    uint64_t step;    /* transitions since the runs part */
    uint64_t running; /* the thread that was chosen last, as struct vm_candidate */
    uint32_t running_number;
    uint64_t turns;             /* choices in a row that went to it */
    struct sim_thread *threads; /* by number */
    size_t nthreads, max_threads;
    uint32_t met; /* threads in this run so far */
    /* of PCT: the steps before which priorities change, in order, and how many have passed */
    uint64_t *changes;
    size_t nchanges, max_changes, passed;
    /* of SURW: the object whose accesses count (all, if its size is 0), and the number of the
       thread that does the next of them, 0 if that is open */
    struct vm_coming object;
    uint32_t intended;
    void *plan; /* of minimise.c */
};

struct scheduler {
    const char *name;
    bool profiles; /* it goes by the profile: the first runs are random walks instead */
    /* Not NULL: the scheduler leaves each run to another one, and has none of what follows. */
    const struct scheduler *(*of_run)(uint64_t run);
    void (*begin)(struct scheduling *s); /* a run begins; or NULL */
    /* A thread is met for the first time in this run; or NULL. */
    void (*meet)(struct scheduling *s, struct sim_thread *thread);
    /* Chooses one of two or more. */
    int (*pick)(struct scheduling *s, const struct vm_choice *choice);
    /* A transition of this thread (0: not known) ends; or NULL. */
    void (*ran)(struct scheduling *s, uint32_t number);
};

#define SCHEDULER(id, name, text) extern const struct scheduler scheduler_##id;
#include "schedulers.def"
const struct scheduler *scheduler_by_index(unsigned index);

void scheduling_fini(struct scheduling *s);
/* Begins a run with this generator. */
void scheduling_begin(struct scheduling *s, struct random random);
/* Meets the new ones among threads that can be chosen. */
void scheduling_meet(struct scheduling *s, const struct vm_choice *choice);
/* Returns a candidate of the present choice. */
static inline struct sim_thread *scheduling_thread(const struct scheduling *s,
                                                   const struct vm_candidate *candidate)
{
    return &s->threads[candidate->number % s->max_threads];
}
/* Returns which candidate is the thread that was chosen last; -1 if it cannot go on, or none
 * was chosen. */
int scheduling_running(const struct scheduling *s, const struct vm_choice *choice);
/* Returns the next action of the candidate, looked up once. */
const struct vm_coming *scheduling_coming(const struct scheduling *s,
                                          const struct vm_candidate *candidate);
/* Are two actions about the same bytes, and one writes? */
bool scheduling_conflict(const struct vm_coming *a, const struct vm_coming *b);

#endif
