/* dpor_races.c - finds the sequences of events that have to be explored beside the present
 * execution. */
#include "checker/array.h"
#include "dpor_tree.h"

static void push_item(struct dpor *dpor, struct wakeup_item item)
{
    struct wakeup_sequence *sequence = &dpor->sequence;
    ARRAY_PUSH(sequence->items, sequence->n, sequence->max, item);
}

/* Pushes the last event with the accesses that it would have without the other event. unknown:
 * the event has not been executed yet, so that its accesses are not known. */
static void push_last(struct dpor *dpor, uint32_t proc, const uint16_t *clock, bool unknown,
                      const struct causal_log *without)
{
    struct wakeup_item item = {
        .proc = proc,
        .number = dpor->causal.clock[proc],
        .unknown = unknown,
        .clock = clock,
    };
    if (!unknown) {
        const struct causal_log last = dpor_log(dpor, (uint32_t)dpor->causal.nevents - 1);
        causal_log_without(&dpor->reversed, &last, without);
        item.log = dpor->reversed;
    }
    push_item(dpor, item);
}

/* Collects all later events that do not depend on this event. */
static void collect(struct dpor *dpor, uint32_t event, size_t end)
{
    const struct causal *causal = &dpor->causal;
    dpor->sequence.n = 0;
    for (uint32_t k = event + 1; k < end; k++) {
        const struct causal_event *e = &causal->events[k];
        if (causal_knows(causal, causal_clock(causal, k), event))
            continue;
        push_item(dpor, (struct wakeup_item){
                            .proc = e->proc,
                            .number = e->number,
                            .log = dpor_log(dpor, k),
                            .clock = causal_clock(causal, k),
                        });
    }
}

/* Was a sequence explored that begins as this one does?  Only threads of the sequence count.
 * One that is not in it could come first as well, but the execution goes on after the race that
 * the sequence comes of, perhaps with what the thread's event depends on: what begins with that
 * event need not be all.  (In the paper, races are looked for when an execution is over.) */
static bool is_seen(const struct dpor *dpor, const struct frame *frame)
{
    const struct wakeup_sequence *sequence = &dpor->sequence;
    const struct step *step = &dpor->steps[frame->event];
    for (int i = 0; i < frame->n; i++) {
        const struct alternative *a = &frame->a[i];
        if (a->done && wakeup_begins_with(sequence, a->proc))
            return true;
    }
    for (size_t i = step->sleepers; i < step->awake; i++) {
        const struct sleeper *sleeper = &dpor->sleepers[i];
        if (wakeup_begins_with(sequence, sleeper->proc))
            return true;
    }
    return false;
}

/* Notes that dpor->sequence is to be explored from where the frame chooses. */
static void want(struct dpor *dpor, struct frame *frame)
{
    bool possible = false;
    for (int i = 0; i < frame->n; i++)
        possible |= frame->a[i].proc == dpor->sequence.items[0].proc && !frame->a[i].held;
    dpor->unsuited |= !possible; /* it is not known why it could not go on */
    if (!possible || is_seen(dpor, frame))
        return;
    dpor_note_contest(dpor, frame);
    wakeup_insert(&frame->wakeup, &dpor->sequence); /* which uses the sequence up */
}

static bool is_ready(struct vm_await await, int value)
{
    return await.ready >> ((value != 0) + (value < 0)) & 1;
}

/* Is it known which number was in the word before? */
static bool is_number(const struct vm_access *access)
{
    return access->has_old && access->size == sizeof(int);
}

/* How an event changed the word that a thread waits for. */
enum change { UNCHANGED, FROM_READY, FROM_OTHER };

static enum change change_of(const struct dpor *dpor, uint32_t event, struct vm_await await)
{
    const struct causal_log log = dpor_log(dpor, event);
    if (!causal_writes(&log, await.word))
        return UNCHANGED;
    for (size_t k = 0; k < log.n; k++)
        if (is_number(&log.at[k]) && log.at[k].addr == await.word)
            return is_ready(await, (int)log.at[k].old) ? FROM_READY : FROM_OTHER;
    return FROM_READY; /* it may have been */
}

/* Returns the address that says when the thread is ready. */
static uint64_t ready_of(const struct dpor *dpor, uint32_t proc)
{
    return dpor->causal.procs[proc].thread + offsetof(struct vm_saved, ready);
}

/* Is the thread to wait until others change that? */
static bool is_for_ever(uint32_t ready)
{
    return !(ready & 7);
}

uint32_t dpor_waker(const struct dpor *dpor, uint32_t proc)
{
    const struct causal *causal = &dpor->causal;
    uint64_t ready = ready_of(dpor, proc);
    uint32_t event = causal_last_write(causal, ready, (uint32_t)causal->nevents);
    if (event == CAUSAL_NONE || causal->events[event].proc == proc)
        return CAUSAL_NONE;
    const struct causal_log log = dpor_log(dpor, event);
    for (size_t k = 0; k < log.n; k++)
        if (is_number(&log.at[k]) && log.at[k].addr == ready)
            return is_for_ever((uint32_t)log.at[k].old) ? event : (uint32_t)CAUSAL_NONE;
    return CAUSAL_NONE;
}

/* Has the event changed what the thread waits for, perhaps from something for which it was
 * ready? */
static bool has_told(const struct dpor *dpor, const struct causal_log *log, uint32_t proc)
{
    return causal_writes(log, ready_of(dpor, proc));
}

/* Only such an event can have told a thread anything. */
static bool writes_in_kernel(const struct causal_log *log)
{
    for (size_t k = 0; k < log->n; k++)
        if (log->at[k].write && log->at[k].kind == VM_ACCESS_KERNEL)
            return true;
    return false;
}

/* A thread had to wait for something done in `end` or later: the event before which it
 * was ready for the last time is to come after its next one. */
static void reverse_wait(struct dpor *dpor, uint32_t proc, struct vm_await await, uint32_t end)
{
    bool event_in_progress = end < dpor->causal.nevents;
    const struct causal *causal = &dpor->causal;
    uint32_t event = end;
    do {
        event = causal_last_write(causal, await.word, event);
        if (event == CAUSAL_NONE)
            return;
    } while (change_of(dpor, event, await) != FROM_READY);
    if (causal_knows(causal, causal->base, event))
        return;
    struct frame *frame = frame_of(dpor, &dpor->steps[event]);
    if (!frame) {
        dpor->unsuited |= dpor->steps[event].frame == NO_FRAME;
        return;
    }
    collect(dpor, event, event_in_progress ? causal->nevents - 1 : causal->nevents);
    push_last(dpor, proc, causal->base, true, NULL);
    want(dpor, frame);
}

void dpor_reverse_races(struct dpor *dpor, uint32_t proc)
{
    struct causal *causal = &dpor->causal;
    if (dpor->steps[causal->nevents - 1].last)
        return; /* it waited for all of them */
    struct vm_await await = dpor->steps[causal->nevents - 1].before;
    const struct causal_log last = dpor_log(dpor, causal->nevents - 1);
    for (size_t i = 0; i < causal->nconflicts; i++) {
        uint32_t event = causal->conflicts[i];
        if (!causal_reversible(causal, event))
            continue;
        if (await.word && change_of(dpor, event, await) == FROM_OTHER) {
            reverse_wait(dpor, proc, await, event); /* it could not go on before that */
            continue;
        }
        struct frame *frame = frame_of(dpor, &dpor->steps[event]);
        const struct causal_log log = dpor_log(dpor, event);
        if (!frame) {
            /* nobody else could run, or it should commute with all that others do, before the
             * process ends */
            bool commutes = last.ends && !causal_conflict(&log, &last);
            dpor->unsuited |= dpor->steps[event].frame == NO_FRAME &&
                              (!commutes || has_told(dpor, &log, proc));
            continue;
        }
        collect(dpor, event, causal->nevents - 1);
        push_last(dpor, proc, causal->clock, has_told(dpor, &log, proc), &log);
        want(dpor, frame);
    }
}

/* Does the thread wait for itself, as one that has ended does?  Nobody else has made it wait,
 * and whoever wrote the word before it did came before it. */
static bool waits_for_itself(const struct dpor *dpor)
{
    const struct causal *causal = &dpor->causal;
    uint32_t last = causal_last_write(causal, dpor->awaited.word, (uint32_t)causal->nevents);
    return last != CAUSAL_NONE && causal->events[last].proc == dpor->arrived;
}

void dpor_reverse_blocked(struct dpor *dpor)
{
    if (dpor->awaited.word && !is_for_ever(dpor->awaited.ready) && !waits_for_itself(dpor)) {
        causal_blocked(&dpor->causal, dpor->arrived, CAUSAL_NONE);
        reverse_wait(dpor, dpor->arrived, dpor->awaited, (uint32_t)dpor->causal.nevents);
    }
    dpor->awaited = (struct vm_await){0};
}

void dpor_reverse_woken(struct dpor *dpor, size_t first)
{
    struct causal *causal = &dpor->causal;
    for (size_t k = first; k < causal->nevents; k++) {
        const struct causal_log log = dpor_log(dpor, k);
        uint32_t nprocs = writes_in_kernel(&log) ? (uint32_t)causal->nprocs : 0;
        for (uint32_t proc = 0; proc < nprocs; proc++) {
            bool waits = false;
            if (proc == causal->events[k].proc || !has_told(dpor, &log, proc))
                continue;
            struct vm_await await = vm_awaited_by(dpor->vm, causal->procs[proc].thread, &waits);
            if (!waits)
                continue;
            causal_blocked(causal, proc, dpor_waker(dpor, proc));
            reverse_wait(dpor, proc, await, (uint32_t)causal->nevents);
        }
    }
}

void dpor_want_overtaken(struct dpor *dpor, struct frame *frame, uint32_t proc,
                         const struct causal_log *log, bool ends)
{
    static const uint16_t no_clock[1]; /* the sequence has one event: nobody looks */
    bool tells = writes_in_kernel(log);
    for (int i = 0; i < frame->n; i++) {
        struct alternative *a = &frame->a[i];
        if (a->proc == proc || a->held || a->retries ||
            !(ends || (a->await.word && causal_writes(log, a->await.word)) ||
              (tells && has_told(dpor, log, a->proc))))
            continue;
        dpor->sequence.n = 0;
        push_item(dpor,
                  (struct wakeup_item){.proc = a->proc,
                                       .number = causal_number(&dpor->causal, a->proc) + 1,
                                       .unknown = true,
                                       .clock = no_clock});
        want(dpor, frame);
    }
}
