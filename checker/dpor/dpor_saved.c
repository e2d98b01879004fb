/* dpor_saved.c - a search by executions as bytes, from which it can go on.
 *
 * The stack of choices, with what is to be explored at each of them, the events of the present
 * execution and their order, and all counts are moved as they are; pointers are put right after
 * reading.  Nothing is kept of the machine but the names of objects: the present execution
 * alone is executed again, up to where it was, with marks where the choices have theirs.
 *
 * One set of functions writes and reads, so that both agree on what comes after what. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "dpor_overlooked.h"
#include "dpor_retry.h"
#include "dpor_tree.h"
#include "schedule.h"

struct moving {
    const struct store_stream *stream;
    bool reads, good;
};

static void move(struct moving *m, void *bytes, size_t n)
{
    if (n && m->good)
        m->good = m->stream->move(m->stream->context, bytes, n);
}

/* Moves an array of *n items; one that is read takes the place of `array`, and *max is its
 * room. */
static void *move_array(struct moving *m, void *array, size_t *n, size_t *max, size_t size)
{
    move(m, n, sizeof *n);
    if (m->reads) {
        free(array);
        *n = m->good ? *n : 0;
        *max = *n ? *n : 1;
        array = array_zeroed(*max, size);
    }
    move(m, array, *n * size);
    return array;
}

#define MOVE(m, object) move((m), &(object), sizeof(object))
#define MOVE_ARRAY(m, array, n, max) \
    ((array) = move_array((m), (array), &(n), &(max), sizeof *(array)))

static void move_log(struct moving *m, struct causal_log *log)
{
    struct vm_access *at = log->at;
    MOVE(m, log->touched);
    MOVE(m, log->written);
    MOVE(m, log->ends);
    MOVE_ARRAY(m, at, log->n, log->max);
    log->at = at;
}

/* ---- wakeup trees ---------------------------------------------------------------- */

static void move_node(struct moving *m, struct wakeup *node)
{
    MOVE(m, node->proc);
    MOVE(m, node->number);
    MOVE(m, node->unknown);
    move_log(m, &node->log);
}

static struct wakeup *read_node(struct moving *m)
{
    struct wakeup read = {0};
    move_node(m, &read);
    struct wakeup *node = wakeup_new(read.proc, read.number, read.unknown, &read.log);
    free(read.log.at);
    return node;
}

/* Moves a wakeup tree; one that is read takes the place of NULL. */
static void move_wakeup(struct moving *m, struct wakeup **list)
{
    for (;; list = &(*list)->next) {
        bool more = *list != NULL;
        MOVE(m, more);
        if (!m->good || !more)
            return;
        if (m->reads)
            *list = read_node(m);
        else
            move_node(m, *list);
        move_wakeup(m, &(*list)->child);
    }
}

/* ---- choices --------------------------------------------------------------------- */

static void move_alternative(struct moving *m, struct alternative *a)
{
    MOVE(m, a->proc);
    MOVE(m, a->done);
    MOVE(m, a->asleep);
    MOVE(m, a->held);
    MOVE(m, a->retries);
    MOVE(m, a->await);
    move_log(m, &a->log);
}

static void move_frame(struct moving *m, struct frame *frame)
{
    bool threads = frame->a != NULL;
    MOVE(m, threads);
    MOVE(m, frame->event);
    MOVE(m, frame->nvalues);
    MOVE(m, frame->runs);
    MOVE(m, frame->next);
    MOVE(m, frame->n);
    MOVE(m, frame->now);
    MOVE(m, frame->loose);
    if (m->reads && threads && m->good) {
        frame->max = (size_t)frame->n;
        frame->a = frame->room = array_zeroed(frame->max, sizeof *frame->room);
    }
    for (int i = 0; threads && m->good && i < frame->n; i++)
        move_alternative(m, &frame->a[i]);
    move_wakeup(m, &frame->wakeup);
}

static void move_frames(struct moving *m, struct dpor *dpor)
{
    size_t n = dpor->nframes;
    MOVE(m, n);
    if (m->reads) {
        dpor->max_frames = m->good && n ? n : 1;
        dpor->frames = array_zeroed(dpor->max_frames, sizeof *dpor->frames);
    }
    for (size_t k = 0; k < n && m->good; k++) {
        move_frame(m, &dpor->frames[k]);
        dpor->nframes = k + 1;
    }
}

/* The alternative whose log a sleeper has. */
struct place {
    uint32_t proc;
    size_t frame;
    int alternative;
};

static bool is_at(const struct dpor *dpor, const struct place *place,
                  const struct causal_log *log)
{
    const struct frame *frame = &dpor->frames[place->frame];
    return frame->a && &frame->a[place->alternative].log == log;
}

/* Finds it.  Neighbours among sleepers are mostly of neighbouring alternatives: the search
 * begins at the last place. */
static void find_place(const struct dpor *dpor, const struct causal_log *log,
                       struct place *place)
{
    for (size_t k = 0; k <= dpor->nframes; k++, place->frame++) {
        if (place->frame >= dpor->nframes)
            place->frame = 0;
        const struct frame *frame = &dpor->frames[place->frame];
        for (place->alternative = 0; frame->a && place->alternative < frame->n;
             place->alternative++)
            if (is_at(dpor, place, log))
                return;
    }
}

static void move_sleepers(struct moving *m, struct dpor *dpor)
{
    struct place place = {0};
    size_t n = dpor->nsleepers;
    MOVE(m, n);
    for (size_t k = 0; k < n && m->good; k++) {
        if (!m->reads) {
            place.proc = dpor->sleepers[k].proc;
            find_place(dpor, dpor->sleepers[k].log, &place);
        }
        MOVE(m, place);
        if (m->reads && m->good)
            ARRAY_PUSH(dpor->sleepers, dpor->nsleepers, dpor->max_sleepers,
                       (struct sleeper){place.proc,
                                        &dpor->frames[place.frame].a[place.alternative].log});
    }
}

/* ---- the present execution ------------------------------------------------------- */

static void move_causal(struct moving *m, struct causal *causal)
{
    size_t nclocks = causal->nevents * causal->stride, nwords = causal->max_words;
    MOVE(m, causal->stride);
    MOVE_ARRAY(m, causal->events, causal->nevents, causal->max_events);
    MOVE_ARRAY(m, causal->procs, causal->nprocs, causal->max_procs);
    MOVE_ARRAY(m, causal->clocks, nclocks, causal->max_clocks);
    MOVE_ARRAY(m, causal->entries, causal->nentries, causal->max_entries);
    MOVE_ARRAY(m, causal->words, nwords, causal->max_words);
    MOVE(m, causal->nwords);
    MOVE(m, causal->lately);
    if (m->reads)
        causal_was_read(causal);
}

static void move_retries(struct moving *m, struct retries *retries)
{
    size_t slots = retries->max_slots, same = slots; /* of hash tables: all of them */
    MOVE(m, retries->again);
    MOVE(m, retries->origins);
    MOVE(m, retries->next);
    MOVE_ARRAY(m, retries->born, retries->nborn, retries->max_born);
    MOVE_ARRAY(m, retries->known, retries->nknown, retries->max_known);
    MOVE_ARRAY(m, retries->by_key, slots, retries->max_slots);
    MOVE_ARRAY(m, retries->by_reads, same, retries->max_slots);
    if (!same)
        retries->max_slots = 0;
    MOVE_ARRAY(m, retries->reads, retries->nreads, retries->max_reads);
}

static void move_keys(struct moving *m, struct keys *keys)
{
    size_t room = keys->max; /* of a hash table: all of it */
    MOVE(m, keys->n);
    MOVE_ARRAY(m, keys->at, room, keys->max);
    if (!room)
        keys->max = 0;
}

static void move_overlooked(struct moving *m, struct overlooked *overlooked, size_t nevents)
{
    size_t nclocks = nevents * overlooked->stride;
    move_keys(m, &overlooked->written);
    move_keys(m, &overlooked->left_out);
    MOVE(m, overlooked->stride);
    MOVE_ARRAY(m, overlooked->clocks, nclocks, overlooked->max_clocks);
    MOVE_ARRAY(m, overlooked->stores, nevents, overlooked->max_stores);
    MOVE(m, overlooked->beginnings);
    MOVE(m, overlooked->again);
}

static void move_names(struct moving *m, struct vm_names *names)
{
    struct vm_bytes bytes = {0};
    if (!m->reads)
        vm_names_write(names, &bytes);
    MOVE_ARRAY(m, bytes.at, bytes.n, bytes.max);
    if (m->reads && m->good)
        vm_names_read(names, bytes.at, bytes.n);
    free(bytes.at);
}

static void move_all(struct moving *m, struct dpor *dpor)
{
    uint64_t instructions = dpor_machine(dpor).instructions;
    move_names(m, dpor->machine.names);
    move_causal(m, &dpor->causal);
    move_frames(m, dpor);
    move_sleepers(m, dpor);
    MOVE_ARRAY(m, dpor->steps, dpor->nsteps, dpor->max_steps);
    MOVE_ARRAY(m, dpor->values, dpor->nvalues, dpor->max_values);
    MOVE_ARRAY(m, dpor->accesses, dpor->naccesses, dpor->max_accesses);
    MOVE_ARRAY(m, dpor->reads, dpor->nreads, dpor->max_reads);
    if (dpor->retries)
        move_retries(m, dpor->retries);
    if (dpor->overlooked)
        move_overlooked(m, dpor->overlooked, dpor->causal.nevents);
    move_wakeup(m, &dpor->follow);
    MOVE(m, dpor->loose);
    MOVE(m, dpor->arrived);
    MOVE(m, dpor->awaited);
    MOVE(m, dpor->started);
    MOVE(m, dpor->unsuited);
    MOVE(m, dpor->runs);
    MOVE(m, dpor->order);
    MOVE(m, dpor->stats);
    MOVE(m, dpor->forecast);
    MOVE(m, dpor->sample);
    MOVE(m, instructions);
    dpor->instructions_before = instructions; /* what the machine does again is counted there */
}

bool dpor_save(struct dpor *dpor, const struct store_stream *to)
{
    struct moving m = {.stream = to, .good = true};
    uint64_t before = dpor->instructions_before;
    move_all(&m, dpor);
    dpor->instructions_before = before;
    return m.good;
}

/* ---- the machine ----------------------------------------------------------------- */

struct along {
    size_t frame, nvalues, event;
};

/* Returns the candidate that is the thread of an event of the present execution; for the
 * transition that is not over, the only one that can be chosen.  -1: it is not there. */
static int find_candidate(const struct dpor *dpor, const struct vm_choice *choice, size_t event)
{
    const struct causal *causal = &dpor->causal;
    if (event >= causal->nevents)
        return dpor_only_candidate(dpor, choice);
    for (int i = 0; i < choice->n; i++)
        if (choice->candidates[i].thread == causal->procs[causal->events[event].proc].thread)
            return i;
    return -1;
}

static bool choose_thread_again(struct dpor *dpor, const struct vm_choice *choice,
                                struct along *along)
{
    const struct frame *frame = &dpor->frames[along->frame];
    if (along->frame == dpor->nframes || !frame->a || frame->event != along->event) {
        int only = find_candidate(dpor, choice, along->event);
        if (only >= 0)
            vm_choose(dpor->vm, only);
        return only >= 0;
    }
    if (frame->n != choice->n)
        return false;
    along->frame++;
    vm_mark(dpor->vm);
    vm_choose(dpor->vm, (int)frame->now);
    return true;
}

static bool choose_value_again(struct dpor *dpor, const struct vm_choice *choice,
                               struct along *along)
{
    if (choice->n == 1) {
        vm_choose(dpor->vm, 0);
        return true;
    }
    const struct frame *frame = &dpor->frames[along->frame];
    if (along->nvalues == dpor->nvalues || dpor->values[along->nvalues] >= choice->n)
        return false;
    if (along->frame < dpor->nframes && !frame->a && frame->nvalues == along->nvalues) {
        along->frame++;
        vm_mark(dpor->vm);
    }
    vm_choose(dpor->vm, dpor->values[along->nvalues++]);
    return true;
}

/* Executes the present execution again; false if the machine does something else than it
 * did. */
static bool run_along(struct dpor *dpor)
{
    struct along along = {0};
    vm_boot(dpor->vm);
    for (uint64_t k = 0; k < dpor->runs; k++) {
        enum vm_stop why = vm_run(dpor->vm);
        if (why == VM_STOP_HALTED)
            return false;
        if (why == VM_STOP_END) {
            along.event += schedule_steps_of(dpor->vm);
            vm_start(dpor->vm);
            continue;
        }
        struct vm_choice choice = vm_pending(dpor->vm);
        if (choice.candidates ? !choose_thread_again(dpor, &choice, &along)
                              : !choose_value_again(dpor, &choice, &along))
            return false;
    }
    return along.frame == dpor->nframes && along.nvalues == dpor->nvalues;
}

bool dpor_load(struct dpor *dpor, const struct store_stream *from)
{
    struct moving m = {.stream = from, .reads = true, .good = true};
    move_all(&m, dpor);
    bool good = m.good && (!dpor->started || run_along(dpor));
    dpor->instructions_before -= dpor->counts->instructions;
    dpor_tell(dpor);
    return good;
}
