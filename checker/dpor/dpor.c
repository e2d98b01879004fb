/* dpor.c - see dpor.h.
 *
 * The search is a stack of frames, one for each choice of the present execution: of
 * a thread, or of a value.  A choice of a thread has sequences that are to be looked
 * at because of races found later, and alternatives that sleep: what they lead to has
 * been seen, until something happens that they depend on. */
#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "checker/array.h"
#include "dpor_tree.h"

enum { MAX_DEPTH = 20000 };
static const unsigned ADDRESSES =
    1 << VM_ASSUMES_PRIVATE | 1 << VM_ASSUMES_UNEXPOSED | 1 << VM_ASSUMES_ADDRESSES;
static const char OPAQUE[] = "it signals or cancels threads, asks for their numbers, or "
                             "destroys semaphores or keys while others are there";
static const char SPINS[] =
    "it can come to where threads wait in loops for what none of them does";
static const char LONG[] = "it has executions of more than 20,000 steps, or without an end";

struct dpor *dpor_open(const struct vm_program *program, const struct vm_options *machine)
{
    struct dpor *dpor = calloc(1, sizeof *dpor);
    if (!dpor)
        return NULL;
    dpor->program = program;
    dpor->machine = *machine;
    dpor->machine.names = vm_names_open();
    dpor->machine.read_only = false; /* with names it is (vm_open) */
    dpor->vm = vm_open(program, &dpor->machine);
    dpor->has_values = vm_model(program, &dpor->machine) == VM_MODEL_C11;
    dpor->counts = vm_stats(dpor->vm);
    causal_init(&dpor->causal);
    dpor->retries = machine->tells_found ? dpor_retries_new() : NULL;
    if (dpor->retries && vm_program_weak(program) && machine->report_races)
        dpor->overlooked = dpor_overlooked_new();
    /* Some room, so that there is a place where none is used. */
    dpor->values = array_grow(NULL, 0, &dpor->max_values, sizeof *dpor->values);
    dpor->accesses = array_grow(NULL, 0, &dpor->max_accesses, sizeof *dpor->accesses);
    return dpor;
}

static void drop_frame(struct dpor *dpor)
{
    wakeup_drop(dpor->frames[--dpor->nframes].wakeup);
}

/* Returns one more frame, which takes over the buffers of the frame that last had its place. */
static struct frame *next_frame(struct dpor *dpor)
{
    size_t max = dpor->max_frames;
    dpor->frames =
        array_grow(dpor->frames, dpor->nframes, &dpor->max_frames, sizeof *dpor->frames);
    if (dpor->max_frames > max)
        memset(dpor->frames + max, 0, (dpor->max_frames - max) * sizeof *dpor->frames);
    struct frame *frame = &dpor->frames[dpor->nframes];
    *frame = (struct frame){.event = dpor->causal.nevents,
                            .nvalues = dpor->nvalues,
                            .runs = dpor->runs,
                            .room = frame->room,
                            .max = frame->max};
    return frame;
}

static void free_room(struct frame *frame)
{
    for (size_t i = 0; i < frame->max; i++)
        free(frame->room[i].log.at);
    free(frame->room);
}

/* Makes room for a choice among n threads. */
static void make_room(struct frame *frame, int n)
{
    size_t max = frame->max;
    while (frame->max < (size_t)n)
        frame->room = array_grow(frame->room, frame->max, &frame->max, sizeof *frame->room);
    memset(frame->room + max, 0, (frame->max - max) * sizeof *frame->room);
    frame->a = frame->room;
    frame->n = n;
}

void dpor_close(struct dpor *dpor)
{
    if (!dpor)
        return;
    while (dpor->nframes)
        drop_frame(dpor);
    for (size_t i = 0; i < dpor->max_frames; i++)
        free_room(&dpor->frames[i]);
    vm_close(dpor->vm);
    vm_names_close(dpor->machine.names);
    causal_fini(&dpor->causal);
    check_path_fini(&dpor->path);
    free(dpor->frames);
    free(dpor->sleepers);
    free(dpor->steps);
    free(dpor->values);
    free(dpor->accesses);
    free(dpor->reads);
    dpor_retries_free(dpor->retries);
    dpor_overlooked_free(dpor->overlooked);
    free(dpor->sequence.items);
    free(dpor->reversed.at);
    wakeup_drop(dpor->follow);
    free(dpor);
}

const char *dpor_why(const struct dpor *dpor)
{
    return dpor->why ? dpor->why : "it is not known what some thread waits for";
}

static void take_sample(struct dpor *dpor)
{
    enum { MOST = 64 };
    struct dpor_sample *sample = &dpor->sample;
    if (sample->transitions == MOST || !vm_is_concurrent(dpor->vm))
        return;
    sample->transitions++;
    sample->objects += vm_objects(dpor->vm);
}

struct check_path dpor_path(struct dpor *dpor)
{
    struct check_path path = dpor->path;
    dpor->path = (struct check_path){0};
    return path;
}

/* ---- sleep sets ------------------------------------------------------------------ */

static bool is_asleep(const struct dpor *dpor, const struct step *step, uint32_t proc)
{
    for (size_t i = step->sleepers; i < step->awake; i++)
        if (dpor->sleepers[i].proc == proc)
            return true;
    return false;
}

static void keep_asleep(struct dpor *dpor, uint32_t proc, const struct causal_log *log,
                        const struct causal_log *done)
{
    if (!causal_dependent(log, done))
        ARRAY_PUSH(dpor->sleepers, dpor->nsleepers, dpor->max_sleepers,
                   (struct sleeper){proc, log});
}

/* Pushes the step after an event of this thread, with the threads that still sleep. */
static void next_step(struct dpor *dpor, uint32_t proc, const struct causal_log *done)
{
    const struct step *step = present(dpor);
    struct step next = {
        .frame = NO_FRAME, .values = dpor->nvalues, .accesses = dpor->naccesses};
    next.sleepers = dpor->nsleepers;
    for (size_t i = step->sleepers; i < step->awake; i++)
        if (dpor->sleepers[i].proc != proc)
            keep_asleep(dpor, dpor->sleepers[i].proc, dpor->sleepers[i].log, done);
    const struct frame *frame = frame_of(dpor, step);
    for (int i = 0; frame && i < frame->n; i++)
        if (frame->a[i].done && frame->a[i].proc != proc)
            keep_asleep(dpor, frame->a[i].proc, &frame->a[i].log, done);
    next.awake = dpor->nsleepers;
    ARRAY_PUSH(dpor->steps, dpor->nsteps, dpor->max_steps, next);
}

/* ---- the present execution ------------------------------------------------------- */

/* Returns the alternative that a sequence to be followed begins with; -1: it has been
 * explored. */
static int find_alternative(struct dpor *dpor, const struct frame *frame, uint32_t proc)
{
    for (int i = 0; i < frame->n; i++)
        if (frame->a[i].proc == proc && !frame->a[i].held)
            return frame->a[i].asleep || frame->a[i].done || frame->a[i].retries ? -1 : i;
    dpor->unsuited |= !frame->loose; /* it is not known why it cannot go on */
    return -1;
}

/* Takes the first sequence that is still to be explored and can be: it is followed next.
 * Returns its first event, -1 if there is none. */
static int next_wanted(struct dpor *dpor, struct frame *frame)
{
    while (frame->wakeup) {
        struct wakeup *first = frame->wakeup;
        int found = find_alternative(dpor, frame, first->proc);
        frame->wakeup = first->next;
        first->next = NULL;
        if (found >= 0) {
            dpor->follow = first;
            return found;
        }
        wakeup_drop(first);
    }
    return -1;
}

static bool pick_first(struct dpor *dpor, struct frame *frame)
{
    wakeup_pass(&dpor->follow, &dpor->causal);
    frame->loose = dpor->loose &= dpor->follow != NULL;
    frame->wakeup = dpor->follow;
    dpor->follow = NULL;
    int first = next_wanted(dpor, frame);
    if (first < 0)
        first = dpor_pick(dpor, frame);
    frame->now = (uint32_t)first;
    return first >= 0;
}

/* Keeps the accesses of the event that has just been added, as long as the event is there. */
static struct causal_log keep_accesses(struct dpor *dpor, const struct vm_access *accesses,
                                       size_t n, bool ends)
{
    struct step *step = present(dpor);
    struct causal_log all = {dpor->accesses, dpor->naccesses, dpor->max_accesses, 0, 0, ends};
    causal_log_add(&all, accesses, n);
    dpor->accesses = all.at;
    dpor->naccesses = all.n;
    dpor->max_accesses = all.max;
    step->touched = all.touched;
    step->written = all.written;
    step->ends = ends;
    all.at += step->accesses;
    all.n -= step->accesses;
    return all;
}

static void take_value(struct dpor *dpor, int value)
{
    ARRAY_PUSH(dpor->values, dpor->nvalues, dpor->max_values, value);
    vm_choose(dpor->vm, value);
}

/* Looks for races of the thread that ran last, if it waits: it is not among the candidates. */
static void reverse_last(struct dpor *dpor, const struct vm_choice *choice)
{
    uint64_t last = dpor->awaited.word ? dpor->causal.procs[dpor->arrived].thread : 0;
    bool waits = dpor->awaited.word;
    for (int i = 0; waits && i < choice->n; i++)
        waits = choice->candidates[i].thread != last;
    if (waits)
        dpor_reverse_blocked(dpor);
    dpor->awaited = (struct vm_await){0};
}

/* Does the candidate's event end the process, and can it wait until no other thread can go on?
 * Every event of an execution that ends earlier is also in one where the end comes last, and
 * errors found at the end are found there, too. If other threads go on for ever, the execution
 * has no end. */
static bool comes_last(const struct vm_candidate *candidate)
{
    return candidate->await.ready & VM_READY_LAST;
}

static bool tries_again(const struct dpor *dpor, const struct vm_candidate *candidate)
{
    uint32_t proc = causal_known_proc((struct causal *)&dpor->causal, candidate->thread);
    return proc != CAUSAL_NONE && dpor_retries(dpor, proc);
}

/* Counts the threads that go on and do not come last, or do; the first is at *first. */
static int count_first(const struct dpor *dpor, const struct vm_choice *choice, bool last,
                       int *first)
{
    int n = 0;
    for (int i = choice->n; i-- > 0;)
        if (comes_last(&choice->candidates[i]) == last &&
            !tries_again(dpor, &choice->candidates[i])) {
            *first = i;
            n++;
        }
    return n;
}

/* Counts the threads that can be chosen, the first at *first; last: these come last. */
static int count_open(const struct dpor *dpor, const struct vm_choice *choice, bool *last,
                      int *first)
{
    int n = count_first(dpor, choice, false, first);
    *last = n == 0;
    return *last ? count_first(dpor, choice, true, first) : n;
}

int dpor_only_candidate(const struct dpor *dpor, const struct vm_choice *choice)
{
    bool last;
    int first = 0;
    return count_open(dpor, choice, &last, &first) == 1 ? first : -1;
}

/* Chooses the only candidate; false if it sleeps: the rest has been explored. */
static bool choose_only(struct dpor *dpor, const struct vm_candidate *candidate, int value)
{
    struct step *step = present(dpor);
    uint32_t proc = causal_proc(&dpor->causal, candidate->thread);
    step->frame = ALONE;
    step->before = candidate->await;
    dpor_note_birth(dpor, proc);
    vm_choose(dpor->vm, value);
    return !is_asleep(dpor, step, proc);
}

static void make_alternative(struct dpor *dpor, struct alternative *a,
                             const struct vm_candidate *candidate)
{
    struct causal_log log = {.at = a->log.at, .max = a->log.max};
    uint32_t proc = causal_proc(&dpor->causal, candidate->thread);
    *a = (struct alternative){.proc = proc,
                              .asleep = is_asleep(dpor, present(dpor), proc),
                              .retries = dpor_retries(dpor, proc),
                              .held = comes_last(candidate) && !present(dpor)->last,
                              .await = candidate->await,
                              .log = log};
}

/* Marks where the execution branches. */
static void mark(struct dpor *dpor)
{
    enum { LARGE = 8192 };
    vm_mark(dpor->vm);
    size_t bytes = vm_marked_orders(dpor->vm);
    dpor->stats.marked += bytes > LARGE ? bytes : 0;
}

/* Chooses one of the candidates; false if all sleep. */
static bool choose_thread(struct dpor *dpor, struct vm_choice choice)
{
    reverse_last(dpor, &choice);
    int first = 0, n = count_open(dpor, &choice, &present(dpor)->last, &first);
    dpor->stuck = n == 0;
    if (n == 1)
        return choose_only(dpor, &choice.candidates[first], first);
    if (n == 0)
        return false;
    struct frame *frame = next_frame(dpor);
    make_room(frame, choice.n);
    for (int i = 0; i < choice.n; i++)
        make_alternative(dpor, &frame->a[i], &choice.candidates[i]);
    if (!pick_first(dpor, frame))
        return false;
    present(dpor)->frame = dpor->nframes++;
    mark(dpor);
    dpor_note_birth(dpor, frame->a[frame->now].proc);
    vm_choose(dpor->vm, (int)frame->now);
    return true;
}

static void choose_value(struct dpor *dpor, struct vm_choice choice)
{
    int n = choice.n > 1 && dpor_is_told_by_order(dpor, choice) ? choice.of_last : choice.n;
    if (n < choice.n)
        dpor->loose = true; /* as another execution the sequence may have chosen otherwise */
    if (n == 1 && choice.n > 1) {
        take_value(dpor, 0);
    } else if (n > 1) {
        struct frame *frame = next_frame(dpor);
        frame->n = n;
        frame->next = 1;
        frame->wakeup = wakeup_copy(dpor->follow);
        frame->loose = dpor->loose = true;
        dpor->nframes++;
        mark(dpor);
        take_value(dpor, 0);
    } else {
        vm_choose(dpor->vm, 0);
    }
}

/* Goes back to where frame's choice is made again, and forgets what came after it. */
static void return_to(struct dpor *dpor, const struct frame *frame)
{
    causal_cut(&dpor->causal, frame->event);
    dpor->nsteps = frame->event + 1;
    dpor->nsleepers = present(dpor)->awake;
    dpor->nvalues = frame->nvalues;
    dpor->runs = frame->runs;
    dpor->naccesses = present(dpor)->accesses;
    dpor->nreads = present(dpor)->own.reads;
    dpor->awaited = (struct vm_await){0};
    wakeup_drop(dpor->follow);
    dpor->follow = NULL;
    dpor->loose = frame->loose;
}

static bool next_thread(struct dpor *dpor, struct frame *frame)
{
    frame->a[frame->now].done = true;
    return_to(dpor, frame);
    int next = next_wanted(dpor, frame);
    if (next < 0)
        return false;
    frame->now = (uint32_t)next;
    vm_rollback(dpor->vm);
    dpor_note_birth(dpor, frame->a[next].proc);
    vm_choose(dpor->vm, next);
    return true;
}

/* Drops all but the first n frames.  The machine is rolled back later. */
static void drop_frames(struct dpor *dpor, size_t n)
{
    if (n == dpor->nframes)
        return;
    vm_drop(dpor->vm, dpor->nframes - n);
    return_to(dpor, &dpor->frames[n]);
    if (dpor->frames[n].a)
        present(dpor)->frame = NO_FRAME;
    while (dpor->nframes > n)
        drop_frame(dpor);
}

static bool is_left_in(const struct frame *frame)
{
    return frame->a ? frame->wakeup != NULL : frame->next < frame->n;
}

/* Returns the number of frames up to the last one that has something left to explore. */
static size_t last_left(const struct dpor *dpor)
{
    size_t n = dpor->nframes;
    while (n && !is_left_in(&dpor->frames[n - 1]))
        n--;
    return n;
}

static void next_value(struct dpor *dpor, struct frame *frame)
{
    int value = frame->next++;
    vm_rollback(dpor->vm);
    return_to(dpor, frame);
    dpor->follow = wakeup_copy(frame->wakeup);
    take_value(dpor, value);
}

/* Goes back to the latest choice with an alternative that is to be explored; false if there is
 * none. */
static bool go_back(struct dpor *dpor)
{
    while (dpor->nframes) {
        struct frame *frame = &dpor->frames[dpor->nframes - 1];
        if (!is_left_in(frame)) {
            drop_frames(dpor, last_left(dpor));
        } else if (!frame->a) {
            next_value(dpor, frame);
            return true;
        } else if (next_thread(dpor, frame)) {
            return true;
        }
    }
    return false;
}

/* Goes back to the first choice with something to be explored, if there is one. */
static void go_far_back(struct dpor *dpor)
{
    size_t first = 0;
    while (first < dpor->nframes && !is_left_in(&dpor->frames[first]))
        first++;
    if (first < dpor->nframes)
        drop_frames(dpor, first + 1);
}

bool dpor_is_halted(const struct dpor *dpor)
{
    return dpor->halted;
}

unsigned dpor_broken(const struct dpor *dpor)
{
    unsigned broken = vm_broken(dpor->vm);
    return vm_unfit_for_executions(broken) ? 0 : broken;
}

/* ---- the search ------------------------------------------------------------------ */

/* Adds an event to the execution; frame: what chose it, if anything did. */
static enum dpor_end add_event(struct dpor *dpor, struct frame *frame, uint32_t proc,
                               const struct vm_access *accesses, size_t n, bool ends)
{
    if (dpor->causal.nevents == CAUSAL_MOST_EVENTS)
        return dpor_unsuited(dpor, LONG);
    causal_add(&dpor->causal, proc, dpor_waker(dpor, proc), accesses, n, ends);
    if (dpor->causal.nevents > dpor->stats.depth)
        dpor->stats.depth = (unsigned)dpor->causal.nevents;
    struct causal_log log = keep_accesses(dpor, accesses, n, ends);
    if (frame)
        causal_log_join(&frame->a[frame->now].log, &log);
    next_step(dpor, proc, &log);
    if (dpor->causal.racer != CAUSAL_NONE)
        return dpor_race_found(dpor);
    dpor_note_writes(dpor, accesses, n);
    dpor_reverse_races(dpor, proc);
    if (frame)
        dpor_want_overtaken(dpor, frame, proc, &log, ends);
    return dpor->unsuited ? DPOR_UNSUITED : DPOR_MORE;
}

/* Did everything that other threads have done come before this event?  Then no other order of
 * it is left. */
static bool comes_after_all(const struct dpor *dpor, size_t event)
{
    const struct causal *causal = &dpor->causal;
    uint32_t self = causal->events[event].proc;
    for (uint32_t proc = 0; proc < causal->nprocs; proc++) {
        uint32_t last = causal->procs[proc].last;
        bool boot = causal->procs[proc].thread == 0;
        if (proc != self && !boot && last != CAUSAL_NONE &&
            !causal_knows(causal, causal_clock(causal, event), last))
            return false;
    }
    return true;
}

/* Returns how many events of the transition have ended before this place of its log. */
static size_t nexts_before(const struct vm *vm, size_t place)
{
    size_t n, nexts = 0;
    const struct vm_access *accesses = vm_accesses(vm, &n);
    for (size_t i = 0; i < place; i++)
        nexts += accesses[i].kind == VM_ACCESS_NEXT;
    return nexts;
}

/* Adds all events of a transition: the first was chosen, the others need no choice. */
static enum dpor_end add_events(struct dpor *dpor, struct frame *frame, uint32_t proc,
                                bool ends)
{
    size_t n, from = 0;
    const struct vm_access *accesses = vm_accesses(dpor->vm, &n);
    for (size_t i = 0; i < n; i++) {
        if (accesses[i].kind != VM_ACCESS_NEXT)
            continue;
        enum dpor_end end = add_event(dpor, frame, proc, accesses + from, i - from, false);
        if (end != DPOR_MORE)
            return end;
        present(dpor)->before = (struct vm_await){accesses[i].addr, accesses[i].size};
        from = i + 1;
    }
    return add_event(dpor, frame, proc, n ? accesses + from : NULL, n - from, ends);
}

/* Adds a transition that has ended.  MORE: the execution goes on; COMPLETE: it is over. */
static enum dpor_end end_transition(struct dpor *dpor)
{
    struct vm *vm = dpor->vm;
    unsigned flags = vm_flags(vm);
    dpor->stats.transitions++;
    take_sample(dpor);
    unsigned broken = vm_broken(vm);
    if (broken & ~ADDRESSES) /* it would be no error */
        return dpor_unsuited(dpor, vm_unfit_for_executions(broken & ~ADDRESSES));
    if (flags & VM_FLAG_ERROR)
        return dpor_error_found(dpor);
    if (flags & VM_FLAG_CANCEL)
        return dpor_unsuited(dpor, "it has assumptions that fail");
    size_t from;
    if (vm_opacity(vm, &from) == VM_OPAQUE)
        return dpor_unsuited(dpor, OPAQUE);
    if (broken)
        return dpor_unsuited(dpor, vm_unfit_for_executions(broken));
    if (dpor->causal.nevents >= MAX_DEPTH)
        return dpor_unsuited(dpor, LONG);
    uint32_t proc = causal_proc(&dpor->causal, vm_thread(vm));
    struct step *step = present(dpor);
    struct frame *frame = frame_of(dpor, step);
    if (!frame && dpor->awaited.word && dpor->arrived != proc)
        dpor_reverse_blocked(dpor);
    if (!frame && is_asleep(dpor, step, proc)) {
        dpor->stats.cut++;
        return DPOR_COMPLETE;
    }
    if (!frame && dpor_retries(dpor, proc)) { /* it was not asked whether it should go on */
        dpor->stats.cut++;
        vm_start(vm);
        return dpor_is_stuck(dpor, false) ? dpor_unsuited(dpor, SPINS) : DPOR_COMPLETE;
    }
    if (frame)
        step->before = frame->a[frame->now].await;
    else if (step->frame == NO_FRAME && dpor->causal.procs[proc].last != CAUSAL_NONE)
        step->before = dpor->steps[dpor->causal.procs[proc].last].after;
    bool ends = flags & VM_FLAG_END;
    size_t first = dpor->causal.nevents;
    enum dpor_end end = add_events(dpor, frame, proc, ends);
    if (end != DPOR_MORE)
        return end;
    if (vm_opacity(vm, &from) && !comes_after_all(dpor, first + nexts_before(vm, from)))
        return dpor_unsuited(dpor, OPAQUE);
    dpor_note_reads(dpor, first);
    dpor_reverse_woken(dpor, first);
    dpor->arrived = proc;
    dpor->awaited = vm_awaited(vm);
    dpor->steps[dpor->causal.nevents - 1].after = dpor->awaited;
    if (!ends)
        return DPOR_MORE;
    dpor->stats.executions++;
    return DPOR_COMPLETE;
}

static void start(struct dpor *dpor)
{
    dpor->started = true;
    ARRAY_PUSH(dpor->steps, dpor->nsteps, dpor->max_steps, (struct step){.frame = NO_FRAME});
    vm_boot(dpor->vm);
}

/* Begins all over again, in another order. */
static void start_again(struct dpor *dpor)
{
    drop_frames(dpor, 0);
    causal_cut(&dpor->causal, 0);
    dpor_overlook_nothing(dpor);
    dpor->nsteps = dpor->nsleepers = dpor->nvalues = dpor->naccesses = dpor->nreads = 0;
    dpor->runs = 0;
    dpor->stats.executions = dpor->stats.cut = 0;
    dpor->forecast.before = (double)dpor->stats.transitions;
    dpor->forecast.n = dpor->forecast.nrecent = 0;
    start(dpor);
}

/* Begins the next execution; false if all have been explored, or it is not known how to go
 * on. */
static bool next_execution(struct dpor *dpor)
{
    if (dpor_overlooks(dpor)) {
        start_again(dpor);
        return true;
    }
    enum order_turn turn = dpor_order_turn(dpor);
    if (turn == GO_FAR_BACK)
        go_far_back(dpor);
    if (turn != BEGIN_AGAIN && go_back(dpor))
        return true;
    if (dpor->unsuited || (turn != BEGIN_AGAIN && !dpor_order_ran_out(dpor)))
        return false;
    start_again(dpor);
    return true;
}

enum dpor_end dpor_run(struct dpor *dpor, double until, const _Atomic int *stop)
{
    if (dpor->halted)
        return DPOR_MORE;
    if (!dpor->started)
        start(dpor);
    while (dpor_work(dpor) < until && !atomic_load_explicit(stop, memory_order_relaxed)) {
        bool over = false;
        enum vm_stop why = vm_run(dpor->vm);
        dpor->runs++;
        if (why == VM_STOP_HALTED) {
            dpor->halted = true;
            return DPOR_MORE;
        }
        if (why == VM_STOP_CHOOSE) {
            struct vm_choice choice = vm_pending(dpor->vm);
            if (choice.scheduling && !choice.candidates)
                return dpor_unsuited(dpor, "it has signals or processes");
            if (!choice.candidates)
                choose_value(dpor, choice);
            else
                over = !choose_thread(dpor, choice);
            dpor->stats.cut += over;
            if (over && dpor->stuck && dpor_is_stuck(dpor, true))
                return dpor_unsuited(dpor, SPINS);
        } else {
            enum dpor_end end = end_transition(dpor);
            if (end == DPOR_ERROR || end == DPOR_UNSUITED)
                return end;
            over = end == DPOR_COMPLETE;
            if (!over)
                vm_start(dpor->vm);
        }
        if (!over)
            continue;
        dpor_forecast(dpor);
        if (!next_execution(dpor))
            return dpor->unsuited ? DPOR_UNSUITED : DPOR_COMPLETE;
    }
    return DPOR_MORE;
}
