/* schedule.c - see schedule.h. */
#include "schedule.h"

#include <string.h>

#include "checker/array.h"

void schedule_add(struct schedule *schedule, uint64_t thread, const int *values, size_t n)
{
    struct schedule_step step = {thread, schedule->nvalues, schedule->nvalues + n};
    for (size_t i = 0; i < n; i++)
        ARRAY_PUSH(schedule->values, schedule->nvalues, schedule->max_values, values[i]);
    ARRAY_PUSH(schedule->steps, schedule->n, schedule->max, step);
}

void schedule_fini(struct schedule *schedule)
{
    free(schedule->steps);
    free(schedule->values);
    *schedule = (struct schedule){0};
}

static int find(const struct vm_choice *choice, uint64_t thread)
{
    for (int i = 0; i < choice->n; i++)
        if (choice->candidates[i].thread == thread)
            return i;
    return -1;
}

/* What was chosen in one execution, where there was more than one alternative. */
struct choices {
    int *at;
    size_t n, max;
};

/* Runs one transition of the machine with names; -1 if the schedule does not fit. */
static int run_step(struct vm *vm, const struct schedule *schedule,
                    const struct schedule_step *step, struct choices *chosen)
{
    size_t used = step->from;
    enum vm_stop stop;
    while ((stop = vm_run(vm)) == VM_STOP_CHOOSE) {
        struct vm_choice choice = vm_pending(vm);
        int value = choice.candidates && choice.n > 1 ? find(&choice, step->thread) : 0;
        if (!choice.candidates && choice.n > 1)
            value = used < step->to ? schedule->values[used++] : -1;
        if (value < 0 || value >= choice.n)
            return -1;
        if (choice.n > 1)
            ARRAY_PUSH(chosen->at, chosen->n, chosen->max, value);
        vm_choose(vm, value);
    }
    return stop == VM_STOP_END ? 0 : -1;
}

size_t schedule_steps_of(const struct vm *vm)
{
    size_t n, steps = 1;
    const struct vm_access *accesses = vm_accesses(vm, &n);
    for (size_t k = 0; k < n; k++)
        steps += accesses[k].kind == VM_ACCESS_NEXT;
    return steps;
}

static const unsigned OVER = VM_FLAG_ERROR | VM_FLAG_END | VM_FLAG_CANCEL;

/* Returns whether all steps were taken, and the execution has not ended. */
static bool run(const struct schedule *schedule, struct vm *vm, struct choices *chosen,
                void (*begin)(void *context, size_t step), void *context)
{
    vm_boot(vm);
    for (size_t i = 0; i < schedule->n;) {
        if (begin)
            begin(context, i);
        if (run_step(vm, schedule, &schedule->steps[i], chosen) < 0 || vm_flags(vm) & OVER)
            return false;
        /* a thread that runs eagerly runs in between */
        if (i == 0 || vm_thread(vm) == schedule->steps[i].thread)
            i += schedule_steps_of(vm);
        vm_start(vm);
    }
    return true;
}

/* Lets the last thread go on.  An execution in which other threads have ended has longer
 * transitions than the schedule, which leaves these ends out: objects belong to one thread
 * there that are shared here. */
static void go_on(const struct schedule *schedule, struct vm *vm, struct choices *chosen)
{
    enum { MOST = 64 };
    struct schedule_step step = schedule->steps[schedule->n - 1];
    step.from = step.to; /* it has no more values */
    for (int i = 0; i < MOST; i++) {
        if (run_step(vm, schedule, &step, chosen) < 0 || vm_flags(vm) & OVER)
            return;
        vm_start(vm);
    }
}

void schedule_walk(const struct schedule *schedule, struct vm *vm,
                   void (*begin)(void *context, size_t step), void *context)
{
    struct choices chosen = {0};
    run(schedule, vm, &chosen, begin, context);
    free(chosen.at);
}

bool schedule_run(const struct schedule *schedule, const struct vm_program *program,
                  const struct vm_options *machine, struct check_path *path)
{
    struct choices chosen = {0};
    struct vm *vm = vm_open(program, machine);
    if (run(schedule, vm, &chosen, NULL, NULL) && schedule->n)
        go_on(schedule, vm, &chosen);
    vm_close(vm);
    struct vm_options plain = *machine;
    plain.names = NULL;
    bool failed = check_follow(program, &plain, chosen.at, chosen.n, path);
    free(chosen.at);
    return failed;
}
