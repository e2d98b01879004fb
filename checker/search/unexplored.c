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

static void know_thread(struct unexplored_sample *sample, uint64_t tid, uint64_t frame)
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

static struct check_unexplored_line *know_line(struct unexplored_sample *sample,
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
static void know_object(struct unexplored_sample *sample, struct check_unexplored_line *line,
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
static void on_action(struct unexplored_sample *sample, const struct vm_event *event)
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
    struct unexplored_sample *sample = context;
    struct vm_trace_run run;
    if (event->kind == VM_EVENT_ACTION)
        on_action(sample, event);
    if (event->kind != VM_EVENT_TRACE || event->trace != VM_TRACE_RUN ||
        event->len < sizeof run)
        return;
    memcpy(&run, event->data, sizeof run);
    sample->tid = run.tid;
    sample->acted = sample->passes;
    if (!sample->passes)
        know_thread(sample, run.tid, (uint64_t)run.saved.frame);
}

void unexplored_hear(struct unexplored_sample *sample)
{
    vm_listen(sample->vm, hear, sample);
}

static int more_actions(const void *a, const void *b)
{
    const struct check_unexplored_line *x = a, *y = b;
    return x->actions == y->actions ? 0 : x->actions > y->actions ? -1 : 1;
}

void unexplored_sort(struct check_unexplored *unexplored)
{
    if (unexplored->nlines)
        qsort(unexplored->lines, unexplored->nlines, sizeof *unexplored->lines, more_actions);
}

static bool visit(void *context, struct walk *walk)
{
    (void)context;
    (void)walk;
    return true;
}

/* ---- the sample ------------------------------------------------------------------ */

static bool is_over(const struct guard *guard)
{
    return atomic_load_explicit(&guard->halt, memory_order_relaxed);
}

void unexplored_guard(struct guard *guard, struct check_options *options)
{
    options->interrupted = NULL;
    options->max_bytes += options->max_bytes / 16;
    guard_begin(guard, options, watch_now() + SECONDS);
}

void unexplored_look(const struct vm_program *program, const struct vm_options *machine,
                     const struct check_options *options,
                     struct vm_state *(*take)(void *context), void *context,
                     struct check_unexplored *unexplored)
{
    static const struct walk_visitor visitor = {.visit = visit};
    struct guard guard;
    struct walk walk;
    struct check_options limits = *options;
    struct vm_options own = *machine;
    struct vm_state *state;
    unexplored_guard(&guard, &limits);
    own.halt = &guard.halt;
    struct vm *vm = vm_open(program, &own);
    if (vm) {
        struct unexplored_sample sample = {.unexplored = unexplored, .vm = vm};
        walk_init(&walk, vm);
        unexplored_hear(&sample);
        while (unexplored->sampled < SAMPLE && !is_over(&guard) && (state = take(context))) {
            sample.tid = 0;
            walk_successors(&walk, state, &visitor, NULL);
            unexplored->sampled++;
        }
        vm_listen(vm, NULL, NULL);
        walk_fini(&walk);
        vm_give_back(vm);
        vm_close(vm);
    }
    guard_end(&guard);
    unexplored_sort(unexplored);
}

/* ---- of the searches by states --------------------------------------------------- */

/* All states in memory that are left; each is taken at most once, from everywhere. */
struct left {
    struct chunk **chunks;
    size_t n, max;
    size_t next, rounds; /* the chunk that the next one is taken from */
};

static void add_chunk(struct left *left, struct chunk *chunk)
{
    if (chunk && !chunk->size && chunk->n)
        ARRAY_PUSH(left->chunks, left->n, left->max, chunk);
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
        bool deep = search->options->search == CHECK_DFS;
        for (struct chunk *c = deep ? worker->found.top : NULL; c; c = c->below)
            add_chunk(left, c);
    }
}

static struct vm_state *take_left(void *context)
{
    struct left *left = context;
    size_t step = left->n > SAMPLE ? left->n / SAMPLE : 1;
    while (left->n && left->rounds < CHUNK_TASKS) {
        struct chunk *chunk = left->chunks[left->next];
        left->next += step;
        if (left->next >= left->n) {
            left->next = 0;
            left->rounds++;
        }
        if (chunk->n)
            return chunk->tasks[--chunk->n].state;
    }
    return NULL;
}

void unexplored_sample(struct search *search, struct check_unexplored *unexplored)
{
    struct left left = {0};
    find_left(search, &left);
    if (left.n)
        unexplored_look(search->program, &search->machine, search->options, take_left, &left,
                        unexplored);
    free(left.chunks);
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
