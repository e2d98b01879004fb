/* explore.c - see explore.h. */
#include "explore.h"

#include <math.h>
#include <stdlib.h>

#include "checker/array.h"
#include "checker/query/set.h"
#include "checker/search/usage.h"

enum { MOST_THREADS = 64 };

static const char SPECIAL[] = "it has signals or processes, or --clock=prompt is given";
static const char FORKS[] = "it forks, and a monitor looks at one process";
static const char MANY[] = "it has threads with numbers above 63";

struct vm_options explorer_machine(const struct vm_options *options,
                                   const struct query_set *queries)
{
    struct vm_options machine = *options;
    machine.weak_memory = machine.store_buffers = false;
    machine.thread_symmetry = false;
    machine.conditional = machine.deferred_joins = machine.read_only = false;
    machine.tells_threads = query_set_fairness(queries) != QUERY_ALL;
    machine.monitors = query_set_has_monitor(queries);
    machine.tcache_bytes = 0;
    return machine;
}

bool explorer_open(struct explorer *e)
{
    struct vm_options machine = e->result->machine;
    machine.halt = e->halt;
    e->vm = vm_open(e->program, &machine);
    if (!e->vm)
        return false;
    walk_init(&e->walk, e->vm);
    graph_init(&e->graph);
    return true;
}

void explorer_close(struct explorer *e)
{
    if (!e->vm)
        return;
    for (size_t k = e->graph.expanded; k < e->graph.n && k < e->max_open; k++)
        if (e->open[k])
            vm_release(e->open[k]);
    free(e->open);
    free(e->candidates);
    free(e->error.choices);
    e->result->stats.instructions = vm_stats(e->vm)->instructions;
    graph_fini(&e->graph);
    walk_fini(&e->walk);
    vm_close(e->vm);
}

/* ---- a transition ---------------------------------------------------------------- */

void explorer_begin_state(struct explorer *e, bool boot)
{
    e->booting = boot;
    e->ncandidates = 0;
    e->enabled = 0;
}

void explorer_note_choice(void *context)
{
    struct explorer *e = context;
    struct vm_choice choice = vm_pending(e->vm);
    if (!e->fair || !choice.scheduling)
        return;
    for (int i = 0; choice.candidates && i < choice.n; i++) {
        uint32_t number = choice.candidates[i].number;
        if (number >= MOST_THREADS)
            e->unsuited = MANY;
        else
            e->enabled |= 1ull << number;
        ARRAY_PUSH(e->candidates, e->ncandidates, e->max_candidates, choice.candidates[i]);
    }
}

/* Returns the number of the thread that was chosen; 0: none was, or threads are not told. */
static uint8_t chosen(struct explorer *e)
{
    uint64_t thread = e->fair ? vm_thread(e->vm) : 0;
    for (size_t i = 0; thread && i < e->ncandidates; i++)
        if (e->candidates[i].thread == thread)
            return (uint8_t)(e->candidates[i].number % MOST_THREADS);
    if (thread && !e->booting)
        e->unsuited = SPECIAL;
    return 0;
}

bool explorer_see(struct explorer *e, struct transition *t)
{
    *t = (struct transition){.flags = vm_flags(e->vm)};
    e->broken |= vm_broken(e->vm);
    if (e->broken >> VM_ASSUMES_FORKS & 1 && e->result->machine.monitors) {
        e->broken = 0;
        e->unsuited = FORKS;
        return false;
    }
    if (e->broken)
        return false;
    if (t->flags & (VM_FLAG_ERROR | VM_FLAG_CANCEL))
        return true;
    t->thread = chosen(e);
    t->atoms = query_set_atoms(e->queries, e->vm);
    e->unknown |= t->atoms.may_be & ~t->atoms.are;
    return walk_hash(&e->walk, t->hash);
}

/* ---- the states ------------------------------------------------------------------ */

/* Keeps the state of the transition, which is new, to be expanded. */
static void open_state(struct explorer *e, uint32_t to, const struct transition *t)
{
    struct graph_state *state = &e->graph.states[to];
    struct check_stats *stats = &e->result->stats;
    uint64_t most = e->options->max_states;
    state->atoms = t->atoms;
    state->final = t->flags & VM_FLAG_END;
    state->over = t->flags & VM_FLAG_OVER;
    state->depth = e->graph.states[e->graph.expanded].depth + 1;
    stats->states++;
    stats->final_states += state->final || state->over;
    stats->depth = state->depth - 1 > stats->depth ? state->depth - 1 : stats->depth;
    e->limited |= most && stats->states > most;
    size_t n = to;
    while (e->max_open <= to)
        e->open = array_grow(e->open, e->max_open, &e->max_open, sizeof *e->open);
    e->open[n] = state->final ? NULL : vm_snapshot(e->vm);
}

static bool goes_on(const struct explorer *e)
{
    return !e->broken && !e->failed && !e->unsuited && !e->full && !e->limited &&
           !atomic_load_explicit(e->halt, memory_order_relaxed);
}

static void note_error(struct explorer *e)
{
    size_t max = 0;
    for (size_t i = 0; i < e->walk.nchoices; i++)
        ARRAY_PUSH(e->error.choices, e->error.n, max, e->walk.choices[i]);
    e->failed = true;
}

static bool visit(void *context, struct walk *walk)
{
    struct explorer *e = context;
    struct transition t;
    (void)walk;
    if (!explorer_see(e, &t))
        return false;
    if (t.flags & VM_FLAG_CANCEL) {
        e->result->stats.dropped += !e->result->machine.monitors; /* or by the monitor */
        return goes_on(e);
    }
    e->result->stats.transitions++;
    if (t.flags & VM_FLAG_ERROR) {
        note_error(e);
        return false;
    }
    bool fresh;
    uint32_t to = graph_state(&e->graph, t.hash, &fresh);
    if (fresh)
        open_state(e, to, &t);
    graph_add_edge(&e->graph, (struct graph_edge){to, t.thread, t.flags & VM_FLAG_CLOCK,
                                                  t.flags & VM_FLAG_ACCEPT});
    e->full |= graph_is_full(&e->graph);
    return goes_on(e);
}

/* Expands the next state; false if its transitions are not all known. */
static bool expand(struct explorer *e)
{
    static const struct walk_visitor visitor = {.visit = visit, .waits = explorer_note_choice};
    struct graph *graph = &e->graph;
    size_t k = graph->expanded;
    struct vm_state *from = k ? e->open[k] : NULL;
    uint64_t most = e->options->max_depth;
    explorer_begin_state(e, !k);
    if (k)
        e->open[k] = NULL;
    if (k && !from) { /* the program has ended there */
        graph_expanded(graph);
        return true;
    }
    if (most && graph->states[k].depth > most) {
        e->cut = true;
        vm_release(from);
        graph_expanded(graph);
        return true;
    }
    bool whole = walk_successors(&e->walk, from, &visitor, e) && goes_on(e);
    graph->states[k].enabled = e->enabled;
    if (whole)
        graph_expanded(graph);
    else /* who is enabled is not known */
        graph->states[k].nedges = 0;
    return whole;
}

static void tell(const struct explorer *e)
{
    enum { OFTEN = 256 };
    const struct check_stats *stats = &e->result->stats;
    if (!e->options->watch || e->graph.expanded % OFTEN)
        return;
    e->options->watch(e->options->watch_context,
                      &(struct check_progress){.by_states = true,
                                               .states = stats->states,
                                               .transitions = stats->transitions,
                                               .open = e->graph.n - e->graph.expanded,
                                               .depth = (unsigned)stats->depth,
                                               .bytes = watch_resident_bytes(),
                                               .seconds = watch_now() - e->start,
                                               .most_left = HUGE_VAL});
}

bool explorer_has_more(const struct explorer *e)
{
    return goes_on(e) && e->graph.expanded < e->graph.n;
}

void explorer_run(struct explorer *e, size_t many)
{
    while (e->graph.expanded < many && explorer_has_more(e) && expand(e))
        tell(e);
}
