/* dpor_unexplored.c - where the present execution branches: at which actions other threads were
 * tried before the one that was chosen, or are still to be.
 *
 * The search counts nothing for this.  At its end the present execution is executed once more
 * by a machine with a listener. */
#include "checker/array.h"
#include "checker/search/unexplored.h"
#include "dpor_tree.h"
#include "schedule.h"

struct looking {
    const struct dpor *dpor;
    struct unexplored_sample sample;
};

/* Is there more than one thread that was, is or will be tried? */
static bool branches(const struct frame *frame)
{
    if (!frame || !frame->a)
        return false;
    for (int i = 0; i < frame->n; i++)
        if (frame->a[i].done && (uint32_t)i != frame->now)
            return true;
    return frame->wakeup != NULL;
}

static void begin(void *context, size_t step)
{
    struct looking *looking = context;
    const struct dpor *dpor = looking->dpor;
    looking->sample.passes = !branches(frame_of(dpor, &dpor->steps[step]));
    looking->sample.unexplored->sampled += !looking->sample.passes;
}

void dpor_unexplored(const struct dpor *dpor, const struct check_options *options,
                     struct check_unexplored *unexplored)
{
    struct guard guard;
    struct check_options limits = *options;
    struct vm_options machine = dpor->machine;
    struct schedule schedule = {0};
    for (uint32_t i = 0; i < dpor->causal.nevents; i++)
        dpor_add_to_schedule(dpor, &schedule, i);
    unexplored->execution = schedule.n;
    unexplored_guard(&guard, &limits);
    machine.halt = &guard.halt;
    struct vm *vm = schedule.n ? vm_open(dpor->program, &machine) : NULL;
    if (vm) {
        struct looking looking = {dpor, {.unexplored = unexplored, .vm = vm}};
        unexplored_hear(&looking.sample);
        schedule_walk(&schedule, vm, begin, &looking);
        vm_listen(vm, NULL, NULL);
        vm_close(vm);
    }
    guard_end(&guard);
    schedule_fini(&schedule);
    unexplored_sort(unexplored);
}
