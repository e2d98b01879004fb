/* bounded.c - see bounded.h.
 *
 * A preemption is the choice of another thread although the one that was chosen last could go
 * on. What is explored is nodes: a state, and the thread that was chosen last (none, if that
 * cannot go on: then any choice is free).  All nodes that take n preemptions are expanded
 * before those that take n + 1, so each is expanded once, where it takes fewest, and the first
 * error takes as few as any.
 *
 * A thread is known by its number, which is part of the state as long as threads are told
 * apart: without thread symmetry.  Without eager steps, too: a thread that was just made would
 * do what comes before its first visible action at once, which takes a preemption otherwise.
 * The other reductions make an action of a thread part of its action before: a switch there can
 * be moved to the border, and takes no more preemptions. */
#include "bounded.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "checker/array.h"
#include "checker/search/usage.h"
#include "guard.h"
#include "unexplored.h"
#include "walk.h"

enum { NO_NODE = UINT32_MAX };

/* The transition that led to a node. */
struct node {
    uint32_t parent, nchoices;
    size_t choices; /* their place in bounded.choices */
};

/* A node that is not expanded yet. */
struct open {
    struct vm_state *state;
    store_id id;
    uint32_t node, last;
    unsigned depth;
};

struct opens {
    struct open *at;
    size_t n, max, next; /* nodes before next are gone */
};

struct bounded {
    const struct vm_program *program;
    const struct check_options *options;
    struct check_result *result;
    struct guard guard;
    struct vm *vm;
    struct walk walk;
    struct store *visited, *deferred;
    struct opens now, later; /* of this number of preemptions, and of one more */
    struct node *nodes;
    size_t nnodes, max_nodes;
    int *choices;
    size_t nchoices, max_choices;
    /* The node that is expanded, and the threads that can be chosen in it. */
    struct open current;
    struct vm_candidate *candidates;
    size_t ncandidates, max_candidates;
    unsigned broken;
    bool failed, unsuited, full, limited, cut;
};

static const char SPECIAL[] = "it has signals or processes, or --clock=prompt is given";

/* ---- nodes ----------------------------------------------------------------------- */

static uint32_t add_node(struct bounded *b)
{
    const struct walk *walk = &b->walk;
    struct node node = {b->current.node, (uint32_t)walk->nchoices, b->nchoices};
    for (size_t i = 0; i < walk->nchoices; i++)
        ARRAY_PUSH(b->choices, b->nchoices, b->max_choices, walk->choices[i]);
    ARRAY_PUSH(b->nodes, b->nnodes, b->max_nodes, node);
    return (uint32_t)(b->nnodes - 1);
}

static void push(struct opens *opens, struct open open)
{
    ARRAY_PUSH(opens->at, opens->n, opens->max, open);
}

static bool put(struct bounded *b, struct store *store, store_id id)
{
    store_id same;
    enum store_put put =
        store_find_or_put(store_user(store, 0), (uint64_t[]){id, 0}, STORE_NONE, NULL, &same);
    b->full |= put == STORE_FULL;
    return put == STORE_NEW;
}

/* Counts a node of the present number of preemptions. */
static void count_node(struct bounded *b, unsigned depth)
{
    struct check_stats *stats = &b->result->stats;
    uint64_t max = b->options->max_states;
    stats->states++;
    stats->depth = depth > stats->depth ? depth : stats->depth;
    b->limited |= max && stats->states > max;
}

/* ---- a transition ---------------------------------------------------------------- */

/* Returns the candidate with this address, as vm_thread tells it. */
static const struct vm_candidate *by_thread(const struct bounded *b, uint64_t thread)
{
    for (size_t i = 0; i < b->ncandidates; i++)
        if (b->candidates[i].thread == thread)
            return &b->candidates[i];
    return NULL;
}

static bool can_go_on(const struct bounded *b, uint32_t number)
{
    for (size_t i = 0; number && i < b->ncandidates; i++)
        if (b->candidates[i].number == number)
            return true;
    return false;
}

/* Notes, at each choice, which threads can be chosen. */
static void note_candidates(void *context)
{
    struct bounded *b = context;
    struct vm_choice choice = vm_pending(b->vm);
    if (!choice.scheduling)
        return;
    b->unsuited |= !choice.candidates;
    for (int i = 0; choice.candidates && i < choice.n; i++)
        ARRAY_PUSH(b->candidates, b->ncandidates, b->max_candidates, choice.candidates[i]);
}

/* Returns the thread that counts as running after the transition, and whether it has
 * preempted. */
static uint32_t runs_now(const struct bounded *b, bool *preempts)
{
    bool waits;
    *preempts = false;
    if (!vm_thread(b->vm))
        return b->current.last; /* a store has reached memory */
    const struct vm_candidate *chosen = by_thread(b, vm_thread(b->vm));
    *preempts = can_go_on(b, b->current.last) && chosen && chosen->number != b->current.last;
    vm_awaited_by(b->vm, vm_thread(b->vm), &waits);
    return waits || !chosen ? 0 : chosen->number;
}

static store_id id_of(const uint64_t hash[2], uint32_t last)
{
    uint64_t mixed[2] = {hash[0] ^ last * 0x9e3779b97f4a7c15, hash[1]};
    return store_id_of(mixed);
}

static void new_node(struct bounded *b, store_id id, uint32_t last, bool preempts)
{
    struct open open = {.id = id, .last = last, .depth = b->current.depth + 1};
    bool end = vm_flags(b->vm) & VM_FLAG_END;
    if (preempts) {
        if (store_has(store_user(b->visited, 0), id) || !put(b, b->deferred, id))
            return;
    } else {
        if (!put(b, b->visited, id))
            return;
        count_node(b, open.depth);
        b->result->stats.final_states += end;
        if (end)
            return;
    }
    uint64_t max = b->options->max_depth;
    if (max && open.depth >= max) {
        b->cut = true;
        return;
    }
    open.node = add_node(b);
    open.state = end ? NULL : vm_snapshot(b->vm); /* NULL: it ends, and is only counted */
    push(preempts ? &b->later : &b->now, open);
}

static bool goes_on(const struct bounded *b)
{
    return !b->broken && !b->failed && !b->unsuited && !b->full && !b->limited &&
           !atomic_load_explicit(&b->guard.halt, memory_order_relaxed);
}

/* Notes the node at the end of a transition.  An error that takes one preemption more than what
 * is explored now waits, as other nodes do. */
static bool visit(void *context, struct walk *walk)
{
    struct bounded *b = context;
    unsigned flags = vm_flags(walk->vm);
    bool preempts;
    b->broken = vm_broken(walk->vm);
    uint32_t last = runs_now(b, &preempts);
    if (b->broken)
        return false;
    if (flags & VM_FLAG_CANCEL) {
        b->result->stats.dropped++;
        return goes_on(b);
    }
    b->result->stats.transitions++;
    if (flags & VM_FLAG_ERROR) {
        struct open open = {.id = STORE_NONE, .node = add_node(b)};
        b->failed = !preempts;
        if (preempts)
            push(&b->later, open);
        return goes_on(b);
    }
    uint64_t hash[2];
    walk_hash(walk, hash);
    new_node(b, id_of(hash, last), last, preempts);
    return goes_on(b);
}

/* ---- all of it ------------------------------------------------------------------- */

static void expand(struct bounded *b, struct open open)
{
    static const struct walk_visitor visitor = {.visit = visit, .waits = note_candidates};
    b->current = open;
    b->ncandidates = 0;
    if (!walk_successors(&b->walk, open.state, &visitor, b) &&
        !atomic_load_explicit(&b->guard.halt, memory_order_relaxed))
        b->full = true;
}

static void tell(const struct bounded *b, double start)
{
    enum { OFTEN = 256 };
    const struct check_stats *stats = &b->result->stats;
    if (!b->options->watch || stats->states % OFTEN)
        return;
    b->options->watch(b->options->watch_context,
                      &(struct check_progress){.by_states = true,
                                               .states = stats->states,
                                               .transitions = stats->transitions,
                                               .open = b->now.n - b->now.next + b->later.n,
                                               .depth = (unsigned)stats->depth,
                                               .bytes = watch_resident_bytes(),
                                               .seconds = watch_now() - start,
                                               .most_left = HUGE_VAL});
}

/* Expands all nodes that take as many preemptions as those that are open. */
static void explore(struct bounded *b, double start)
{
    while (goes_on(b) && b->now.next < b->now.n) {
        expand(b, b->now.at[b->now.next++]);
        tell(b, start);
    }
}

/* Opens the nodes with one more preemption.  If an error was found among them, it is the
 * answer. */
static void turn(struct bounded *b)
{
    struct opens was = b->now;
    b->now = b->later;
    b->later = (struct opens){.at = was.at, .max = was.max};
    size_t n = b->now.n;
    b->now.n = 0;
    for (size_t i = 0; i < n; i++) {
        struct open open = b->now.at[i];
        if (open.id == STORE_NONE && !b->failed) {
            b->failed = true;
            b->nnodes = open.node + 1; /* the last one is the error's */
        }
        bool fresh = open.id != STORE_NONE && !b->failed && put(b, b->visited, open.id);
        if (fresh)
            count_node(b, open.depth);
        if (fresh && !open.state)
            b->result->stats.final_states++;
        else if (fresh)
            b->now.at[b->now.n++] = open;
        else if (open.state)
            vm_release(open.state);
    }
}

static void drop(struct opens *opens)
{
    for (size_t i = opens->next; i < opens->n; i++)
        if (opens->at[i].state)
            vm_release(opens->at[i].state);
    free(opens->at);
}

/* Finds the choices on the path to the last node, the error's. */
static bool find_path(struct bounded *b)
{
    size_t n = 0, max = 0;
    int *all = array_grow(NULL, 0, &max, sizeof *all);
    for (uint32_t k = (uint32_t)b->nnodes - 1; k != NO_NODE; k = b->nodes[k].parent)
        for (size_t i = b->nodes[k].nchoices; i-- > 0;)
            ARRAY_PUSH(all, n, max, b->choices[b->nodes[k].choices + i]);
    for (size_t i = 0; i < n / 2; i++) {
        int other = all[i];
        all[i] = all[n - 1 - i];
        all[n - 1 - i] = other;
    }
    struct vm_options machine = b->result->machine;
    machine.halt = &b->guard.halt;
    bool found = check_follow(b->program, &machine, all, n, &b->result->path);
    free(all);
    return found;
}

/* Takes a node that was not expanded, of those that take as many preemptions, or of the others
 * by turns. */
static struct vm_state *take(void *context)
{
    struct bounded *b = context;
    struct opens *lists[] = {&b->now, &b->later};
    for (size_t i = 0; i < 2; i++) {
        struct opens *list = lists[(i + b->result->unexplored.sampled) % 2];
        while (list->n > list->next) {
            struct vm_state *state = list->at[--list->n].state;
            if (state)
                return state;
        }
    }
    return NULL;
}

/* Looks at what is left of a search that a limit or an interrupt has ended. */
static void look_at_rest(struct bounded *b)
{
    struct vm_options machine = b->result->machine;
    machine.tells_threads = true;
    b->result->open = b->now.n - b->now.next + b->later.n;
    unexplored_look(b->program, &machine, b->options, take, b, &b->result->unexplored);
}

static void conclude(struct bounded *b, uint64_t preemptions)
{
    struct check_result *result = b->result;
    enum check_limit limit;
    result->preemptions = preemptions;
    result->outcome = CHECK_INCOMPLETE;
    if (b->failed) {
        bool found = find_path(b);
        result->outcome = found ? CHECK_ERROR : CHECK_BROKEN;
        if (!found)
            check_out_of_time(&b->guard, result);
    } else if (b->unsuited) {
        result->outcome = CHECK_UNSUITED;
        result->why = SPECIAL;
    } else if (guard_halted(&b->guard, &limit)) {
        result->limit = limit;
        if (limit == CHECK_LIMIT_NONE)
            result->outcome = CHECK_INTERRUPTED;
    } else if (b->full || b->limited) {
        result->limit = b->full ? CHECK_LIMIT_MEMORY : CHECK_LIMIT_STATES;
    } else if (b->cut) {
        result->limit = CHECK_LIMIT_DEPTH;
    } else if (b->now.next == b->now.n && !b->later.n) {
        result->outcome = CHECK_OK; /* more preemptions lead nowhere else */
    } else {
        result->limit = CHECK_LIMIT_PREEMPTIONS;
        result->preemptions = preemptions + 1;
    }
}

/* Explores by numbers of preemptions, each number once all nodes with fewer were seen. */
static void search_bounded(struct bounded *b, double start)
{
    uint64_t preemptions = 0, most = b->options->max_preemptions;
    expand(b, (struct open){.node = NO_NODE, .depth = UINT_MAX}); /* the boot */
    explore(b, start);
    while (goes_on(b) && b->later.n && preemptions < most) {
        preemptions++;
        turn(b);
        explore(b, start);
    }
    conclude(b, preemptions);
}

static bool bounded_open(struct bounded *b)
{
    struct vm_options machine = b->result->machine;
    struct store_options store = {.users = 1, .max_bytes = b->options->max_bytes / 2};
    machine.halt = &b->guard.halt;
    machine.tells_threads = true;
    b->vm = vm_open(b->program, &machine);
    b->visited = store_open(&store);
    b->deferred = store_open(&store);
    if (b->vm)
        walk_init(&b->walk, b->vm);
    b->walk.encounters = b->options->encounters;
    return b->vm && b->visited && b->deferred;
}

static void bounded_close(struct bounded *b)
{
    drop(&b->now);
    drop(&b->later);
    if (b->vm) {
        b->result->stats.instructions = vm_stats(b->vm)->instructions;
        walk_fini(&b->walk);
        vm_close(b->vm);
    }
    if (b->visited)
        b->result->stats.store_bytes = store_stats(b->visited).bytes;
    store_close(b->visited);
    store_close(b->deferred);
    free(b->nodes);
    free(b->choices);
    free(b->candidates);
}

unsigned bounded_run(const struct vm_program *program, const struct check_options *options,
                     double start, struct check_result *result)
{
    struct bounded b = {.program = program, .options = options, .result = result};
    struct rusage usage;
    result->stats = (struct check_stats){0};
    result->bounded = true;
    result->answer = CHECK_BFS;
    guard_begin(&b.guard, options, options->deadline);
    if (bounded_open(&b)) {
        search_bounded(&b, start);
    } else {
        result->outcome = CHECK_INCOMPLETE;
        result->limit = CHECK_LIMIT_MEMORY;
    }
    guard_end(&b.guard);
    bool cut = result->outcome == CHECK_INCOMPLETE || result->outcome == CHECK_INTERRUPTED;
    if (cut && result->limit != CHECK_LIMIT_PREEMPTIONS && !result->found)
        look_at_rest(&b);
    bounded_close(&b);
    getrusage(RUSAGE_SELF, &usage);
    result->stats.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    return b.broken;
}
