/* unexplored.c - see unexplored.h.
 *
 * The search counts nothing for this.  At its end a few hundred of the states that were not
 * expanded, from everywhere among them, are expanded by a machine with a listener, which hears
 * which thread acts where.  Lines that most of their transitions come from are those that
 * multiply states. */
#include "unexplored.h"

#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "checker/search/usage.h"
#include "search.h"

enum { SAMPLE = 400, MAX_PLACES = 64, MAX_TEXT = 128, THREADS = 64 };
static const double SECONDS = 0.25;

struct sample {
    struct check_unexplored *unexplored;
    struct vm *vm;
    uint64_t tid; /* the thread that runs, 0: not known yet */
    bool acted;
    size_t max_lines, max_threads;
};

/* ---- what is heard --------------------------------------------------------------- */

/* Returns a place in the program itself: the innermost of a frame's places, or the
 * outermost. */
static const struct vm_place *user_place(const struct vm_place *places, size_t n,
                                         bool innermost)
{
    const struct vm_place *found = NULL;
    for (size_t i = 0; i < n; i++)
        if (!places[i].library && places[i].line && (!innermost || !found))
            found = &places[i];
    return found;
}

static size_t stack_of(const struct vm *vm, uint64_t frame, struct vm_place *places)
{
    size_t n = vm_stack(vm, frame, places, MAX_PLACES);
    return n < MAX_PLACES ? n : MAX_PLACES;
}

static void know_thread(struct sample *sample, uint64_t tid, uint64_t frame)
{
    struct check_unexplored *unexplored = sample->unexplored;
    struct vm_place places[MAX_PLACES];
    for (size_t i = 0; i < unexplored->nthreads; i++)
        if (unexplored->threads[i].tid == tid)
            return;
    const struct vm_place *entry =
        user_place(places, stack_of(sample->vm, frame, places), false);
    if (!entry)
        return;
    struct check_unexplored_thread thread = {tid, check_strdup(entry->function)};
    ARRAY_PUSH(unexplored->threads, unexplored->nthreads, sample->max_threads, thread);
}

static struct check_unexplored_line *know_line(struct sample *sample,
                                               const struct vm_place *place)
{
    struct check_unexplored *unexplored = sample->unexplored;
    for (size_t i = 0; i < unexplored->nlines; i++)
        if (unexplored->lines[i].line == place->line &&
            !strcmp(unexplored->lines[i].file, place->file))
            return &unexplored->lines[i];
    struct check_unexplored_line line = {.file = check_strdup(place->file),
                                         .function = check_strdup(place->function),
                                         .line = place->line};
    ARRAY_PUSH(unexplored->lines, unexplored->nlines, sample->max_lines, line);
    return &unexplored->lines[unexplored->nlines - 1];
}

/* Notes the object of an action: of several objects of one line the first is told, and that
 * there are others. */
static void know_object(struct sample *sample, struct check_unexplored_line *line,
                        const struct vm_event *event)
{
    char text[MAX_TEXT] = "";
    if (event->addr)
        vm_name(sample->vm, event->addr, event->size, text, sizeof text);
    if (!line->object)
        line->object = check_strdup(text);
    else if (strcmp(line->object, text) != 0)
        line->others = true;
}

/* Notes the first action of a transition, for which the thread was chosen. */
static void on_action(struct sample *sample, const struct vm_event *event)
{
    struct vm_place places[MAX_PLACES];
    if (sample->acted || !sample->tid)
        return;
    const struct vm_place *place =
        user_place(places, stack_of(sample->vm, event->frame, places), true);
    if (!place)
        return;
    sample->acted = true;
    sample->unexplored->actions++;
    struct check_unexplored_line *line = know_line(sample, place);
    line->actions++;
    line->threads |= (uint64_t)1 << sample->tid % THREADS;
    know_object(sample, line, event);
}

static void hear(void *context, const struct vm_event *event)
{
    struct sample *sample = context;
    struct vm_trace_run run;
    if (event->kind == VM_EVENT_ACTION)
        on_action(sample, event);
    if (event->kind != VM_EVENT_TRACE || event->trace != VM_TRACE_RUN ||
        event->len < sizeof run)
        return;
    memcpy(&run, event->data, sizeof run);
    sample->tid = run.tid;
    sample->acted = false;
    know_thread(sample, run.tid, (uint64_t)run.saved.frame);
}

static bool visit(void *context, struct walk *walk)
{
    (void)context;
    (void)walk;
    return true;
}

/* ---- the sample ------------------------------------------------------------------ */

/* All states in memory that are left, by number; each is taken at most once. */
struct left {
    struct chunk **chunks;
    size_t n, max, states;
};

static void add_chunk(struct left *left, struct chunk *chunk)
{
    if (!chunk || chunk->size || !chunk->n)
        return;
    ARRAY_PUSH(left->chunks, left->n, left->max, chunk);
    left->states += chunk->n;
}

static void find_left(struct search *search, struct left *left)
{
    for (unsigned i = 0; i < search->nworkers; i++) {
        struct search_worker *worker = &search->workers[i];
        add_chunk(left, worker->left);
        for (unsigned k = 0; k < 2; k++) {
            struct worklist *list = &worker->worklists[k];
            for (size_t c = 0; c < list->n; c++)
                add_chunk(left, atomic_load_explicit(&list->chunks[c], memory_order_relaxed));
        }
    }
}

/* Takes a state out of a chunk. */
static struct vm_state *take(struct chunk *chunk)
{
    return chunk->n ? chunk->tasks[--chunk->n].state : NULL;
}

static bool is_over(const struct guard *guard)
{
    return atomic_load_explicit(&guard->halt, memory_order_relaxed);
}

static void look_at(struct sample *sample, struct walk *walk, struct vm_state *state)
{
    static const struct walk_visitor visitor = {.visit = visit};
    sample->tid = 0;
    sample->acted = false;
    walk_successors(walk, state, &visitor, NULL);
    sample->unexplored->sampled++;
}

static void look_at_some(struct left *left, struct sample *sample, struct walk *walk,
                         const struct guard *guard)
{
    size_t rounds = left->n ? (SAMPLE + left->n - 1) / left->n : 0;
    size_t step = left->n > SAMPLE ? left->n / SAMPLE : 1;
    for (size_t round = 0; round < rounds; round++)
        for (size_t c = 0; c < left->n && !is_over(guard); c += step) {
            struct vm_state *state = take(left->chunks[c]);
            if (state)
                look_at(sample, walk, state);
        }
}

static int more_actions(const void *a, const void *b)
{
    const struct check_unexplored_line *x = a, *y = b;
    return x->actions == y->actions ? 0 : x->actions > y->actions ? -1 : 1;
}

void unexplored_sample(struct search *search, struct check_unexplored *unexplored)
{
    struct guard guard;
    struct walk walk;
    struct left left = {0};
    /* Interrupts are ignored, since whoever interrupts the search waits for this, too; and
     * memory is as scarce as it is. */
    struct check_options options = *search->options;
    options.interrupted = NULL;
    options.max_bytes += options.max_bytes / 16;
    find_left(search, &left);
    guard_begin(&guard, &options, watch_now() + SECONDS);
    struct vm *vm = left.n ? search_machine(search, &guard.halt, &walk) : NULL;
    if (vm) {
        struct sample sample = {.unexplored = unexplored, .vm = vm};
        vm_listen(vm, hear, &sample);
        look_at_some(&left, &sample, &walk, &guard);
        vm_listen(vm, NULL, NULL);
        walk_fini(&walk);
        vm_give_back(vm);
        vm_close(vm);
    }
    guard_end(&guard);
    free(left.chunks);
    if (unexplored->nlines)
        qsort(unexplored->lines, unexplored->nlines, sizeof *unexplored->lines, more_actions);
}

void unexplored_fini(struct check_unexplored *unexplored)
{
    for (size_t i = 0; i < unexplored->nthreads; i++)
        free(unexplored->threads[i].entry);
    for (size_t i = 0; i < unexplored->nlines; i++) {
        free(unexplored->lines[i].file);
        free(unexplored->lines[i].function);
        free(unexplored->lines[i].object);
    }
    free(unexplored->threads);
    free(unexplored->lines);
    *unexplored = (struct check_unexplored){0};
}
