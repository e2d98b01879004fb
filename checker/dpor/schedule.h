/* schedule.h - an execution given by its threads: made into a path of choices.
 * Belongs to one thread. */
#ifndef CHECKER_SCHEDULE_H
#define CHECKER_SCHEDULE_H

#include "checker/search/check.h"

struct schedule_step {
    uint64_t thread; /* named: see vm_thread */
    size_t from, to; /* its choices of values: schedule->values */
};

struct schedule {
    struct schedule_step *steps; /* the first is the boot */
    size_t n, max;
    int *values;
    size_t nvalues, max_values;
};

void schedule_add(struct schedule *schedule, uint64_t thread, const int *values, size_t n);
void schedule_fini(struct schedule *schedule);
/* Runs the schedule on a machine with the same names, and then its choices on one without, up
 * to an error: true if there was one, with the path that leads to it. */
bool schedule_run(const struct schedule *schedule, const struct vm_program *program,
                  const struct vm_options *machine, struct check_path *path);
/* Runs it on such a machine, up to its end; begin is called before each transition, with the
 * step that it begins with. */
void schedule_walk(const struct schedule *schedule, struct vm *vm,
                   void (*begin)(void *context, size_t step), void *context);
/* Returns how many steps of a schedule the transition is that has just ended. */
size_t schedule_steps_of(const struct vm *vm);

#endif
