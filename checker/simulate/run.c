/* run.c - see run.h. */
#include "run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"

enum { MAX_STEPS = 20000 };
static const uint64_t MAX_INSTRUCTIONS = 200 * 1000 * 1000;

void record_fini(struct record *record)
{
    free(record->choices);
    free(record->values);
    free(record->turns);
    *record = (struct record){0};
}

size_t record_preemptions(const struct record *record)
{
    size_t n = 0;
    for (size_t i = 0; i < record->nturns; i++)
        n += record->turns[i].preempts;
    return n;
}

static void record_clear(struct record *record)
{
    record->nchoices = record->nvalues = record->nturns = 0;
    record->blind = false;
}

static void note_choice(struct record *record, int value, bool thread)
{
    ARRAY_PUSH(record->choices, record->nchoices, record->max_choices, value);
    if (!thread)
        ARRAY_PUSH(record->values, record->nvalues, record->max_values, value);
}

/* ---- choices --------------------------------------------------------------------- */

static int choose_value(struct runner *runner, const struct vm_choice *choice)
{
    struct scheduling *s = &runner->scheduling;
    if (choice->n == 1)
        return 0;
    if (choice->scheduling && runner->record)
        runner->record->blind = true;
    int value = runner->value ? runner->value(runner->value_context, s, choice->n)
                              : (int)random_below(&s->random, (uint64_t)choice->n);
    if (runner->record)
        note_choice(runner->record, value, false);
    return value;
}

static void note_turn(struct runner *runner, const struct vm_choice *choice, uint64_t thread)
{
    struct scheduling *s = &runner->scheduling;
    struct record *record = runner->record;
    bool preempts = thread != s->running && scheduling_running(s, choice) >= 0;
    ARRAY_PUSH(record->turns, record->nturns, record->max_turns,
               (struct turn){runner->number, preempts, record->nchoices, record->nvalues});
}

static int choose_thread(struct runner *runner, const struct vm_choice *choice)
{
    struct scheduling *s = &runner->scheduling;
    scheduling_meet(s, choice);
    if (!runner->at_first)
        encounters_note(runner->encounters, runner->vm, choice);
    int found = choice->n > 1 ? s->scheduler->pick(s, choice) : 0;
    const struct vm_candidate *candidate = &choice->candidates[found];
    runner->number = candidate->number;
    if (runner->profiled)
        profile_action(runner->profiled, candidate->number, scheduling_coming(s, candidate));
    if (runner->record) {
        note_turn(runner, choice, candidate->thread);
        if (choice->n > 1)
            note_choice(runner->record, found, true);
    }
    s->turns = candidate->thread == s->running ? s->turns + 1 : 0;
    s->running = candidate->thread;
    s->running_number = candidate->number;
    scheduling_thread(s, candidate)->known = false;
    return found;
}

static void choose(struct runner *runner, const struct vm_choice *choice)
{
    bool thread = choice->scheduling && choice->candidates;
    int value = thread ? choose_thread(runner, choice) : choose_value(runner, choice);
    vm_choose(runner->vm, value);
}

/* ---- a run ----------------------------------------------------------------------- */

/* Does the run go on after a transition? */
static bool goes_on(struct runner *runner, uint64_t begun, enum run_end *end)
{
    struct scheduling *s = &runner->scheduling;
    unsigned flags = vm_flags(runner->vm);
    s->step++;
    if (s->scheduler->ran)
        s->scheduler->ran(s, runner->number);
    runner->number = 0;
    if (vm_broken(runner->vm))
        *end = RUN_BROKEN;
    else if (flags & VM_FLAG_ERROR)
        *end = RUN_ERROR;
    else if (flags & VM_FLAG_CANCEL)
        *end = RUN_DROPPED;
    else if (flags & VM_FLAG_END)
        *end = RUN_FINAL;
    else if (s->step >= runner->max_steps ||
             vm_stats(runner->vm)->instructions - begun > runner->max_instructions)
        *end = RUN_CUT;
    else
        return true;
    return false;
}

/* Goes on from the end of a choice. */
static enum run_end go_on(struct runner *runner)
{
    struct vm *vm = runner->vm;
    uint64_t begun = vm_stats(vm)->instructions;
    enum run_end end = RUN_HALTED;
    for (;;) {
        enum vm_stop stop = vm_run(vm);
        if (stop == VM_STOP_HALTED)
            return RUN_HALTED;
        if (stop == VM_STOP_CHOOSE) {
            struct vm_choice choice = vm_pending(vm);
            choose(runner, &choice);
        } else if (goes_on(runner, begun, &end)) {
            vm_start(vm);
        } else {
            return end;
        }
    }
}

enum run_end runner_run(struct runner *runner, const struct scheduler *scheduler,
                        struct random random)
{
    if (!runner->first.n)
        return runner->alike;
    struct scheduling *s = &runner->scheduling;
    s->scheduler = scheduler;
    scheduling_begin(s, random);
    if (runner->record)
        record_clear(runner->record);
    runner->number = 0;
    vm_rollback(runner->vm);
    runner->at_first = true;
    choose(runner, &runner->first);
    runner->at_first = false;
    enum run_end end = go_on(runner);
    runner->steps += s->step;
    return end;
}

void runner_hash(struct runner *runner, uint64_t hash[2])
{
    vm_finish(runner->vm);
    vm_hash(runner->vm, hash);
}

/* ---- what all runs begin with ---------------------------------------------------- */

/* Keeps a choice: the machine is rolled back to here, and what it says of the choice is gone
 * then. */
static void keep_choice(struct runner *runner, const struct vm_choice *choice)
{
    runner->first = *choice;
    if (!choice->candidates)
        return;
    size_t bytes = (size_t)choice->n * sizeof *choice->candidates;
    runner->candidates = check_zeros((size_t)choice->n, sizeof *choice->candidates);
    memcpy(runner->candidates, choice->candidates, bytes);
    runner->first.candidates = runner->candidates;
}

/* Runs up to the first choice of two or more; without one, up to the end. */
static void run_up(struct runner *runner)
{
    struct vm *vm = runner->vm;
    bool booted = false;
    vm_boot(vm);
    for (;;) {
        enum vm_stop stop = vm_run(vm);
        if (stop == VM_STOP_HALTED) {
            runner->alike = RUN_HALTED;
            return;
        }
        if (stop == VM_STOP_CHOOSE) {
            struct vm_choice choice = vm_pending(vm);
            if (choice.n > 1) {
                encounters_note(runner->encounters, vm, &choice);
                keep_choice(runner, &choice);
                runner->before = runner->scheduling.step;
                vm_mark(vm);
                return;
            }
            vm_choose(vm, 0);
        } else if (goes_on(runner, 0, &runner->alike)) {
            if (!booted)
                runner->scheduling.step = 0; /* this is the first state */
            booted = true;
            vm_start(vm);
        } else {
            return;
        }
    }
}

static struct vm_options machine_of(const struct vm_options *machine)
{
    struct vm_options options = *machine;
    options.tells_threads = true;
    options.left_out |= VM_CACHE_PRECONCURRENT; /* its ids depend on when they are given */
    return options;
}

bool runner_open(struct runner *runner, const struct vm_program *program,
                 const struct vm_options *machine, const struct check_options *options,
                 const struct profile *profile)
{
    static const struct scheduler none = {.name = "none"};
    struct vm_options own = machine_of(machine);
    *runner = (struct runner){
        .max_steps = options->max_depth ? options->max_depth : MAX_STEPS,
        .max_instructions = MAX_INSTRUCTIONS,
        .alike = RUN_HALTED,
        .encounters = options->encounters,
        .vm = vm_open(program, &own),
    };
    if (!runner->vm)
        return false;
    struct scheduling *s = &runner->scheduling;
    *s = (struct scheduling){.vm = runner->vm,
                             .profile = profile,
                             .scheduler = &none,
                             .pct_depth = options->sampling.pct_depth};
    s->threads = array_grow(NULL, 0, &s->max_threads, sizeof *s->threads);
    memset(s->threads, 0, s->max_threads * sizeof *s->threads);
    run_up(runner);
    return true;
}

void runner_close(struct runner *runner)
{
    scheduling_fini(&runner->scheduling);
    free(runner->candidates);
    if (runner->vm)
        vm_close(runner->vm);
}
