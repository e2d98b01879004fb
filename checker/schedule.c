/* schedule.c - see schedule.h. */
#include "schedule.h"

#include <string.h>

#include "array.h"
#include "walk.h"

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
        if (choice->candidates[i] == thread)
            return i;
    return -1;
}

/* One transition, with its choices recorded; -1 if the schedule does not fit. */
static int run_step(struct vm *vm, const struct schedule *schedule,
                    const struct schedule_step *step, struct check_step *taken)
{
    size_t used = step->from, max = 0;
    while (vm_run(vm) == VM_STOP_CHOOSE) {
        struct vm_choice choice = vm_pending(vm);
        int value = choice.candidates && choice.n > 1 ? find(&choice, step->thread) : 0;
        if (!choice.candidates && choice.n > 1)
            value = used < step->to ? schedule->values[used++] : -1;
        if (value < 0 || value >= choice.n)
            return -1;
        if (choice.n > 1)
            ARRAY_PUSH(taken->choices, taken->n, max, value);
        vm_choose(vm, value);
    }
    return 0;
}

bool schedule_run(const struct schedule *schedule, const struct vm_program *program,
                  const struct vm_options *machine, struct check_path *path)
{
    struct vm *vm = vm_open(program, machine);
    struct walk walk;
    size_t max = 0;
    bool error = false;
    walk_init(&walk, vm);
    vm_boot(vm);
    for (size_t i = 0; i < schedule->n && !error;) {
        struct check_step taken = {0};
        int fits = run_step(vm, schedule, &schedule->steps[i], &taken);
        ARRAY_PUSH(path->steps, path->n, max, taken);
        if (fits < 0)
            break;
        error = vm_flags(vm) & VM_FLAG_ERROR;
        if (error)
            break;
        uint64_t hash[2];
        walk_hash(&walk, hash);
        path->steps[path->n - 1].hash = store_id_of(hash);
        if (vm_flags(vm) & (VM_FLAG_END | VM_FLAG_CANCEL))
            break;
        /* a thread that hurries runs in between */
        i += i == 0 || vm_thread(vm) == schedule->steps[i].thread;
        vm_start(vm);
    }
    walk_fini(&walk);
    vm_close(vm);
    if (!error)
        check_path_fini(path);
    return error;
}
