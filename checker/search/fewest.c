/* fewest.c - finds the same error in as few steps, with fewer preemptions: see search.h.
 *
 * A preemption is a step of another thread where the last one could go on.  States are looked
 * at in the order of the preemptions on the way to them, each with each thread that ran last
 * and each number of steps: the first way of the given length that ends with the error has
 * fewest. (Musuvathi and Qadeer, "Iterative context bounding for systematic testing of
 * multithreaded programs", PLDI 2007.)  After MOST transitions, or where memory is
 * scarce, the given way stays. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "search.h"

enum { MOST = 10000, MOST_STEPS = 1000, ROOM = 64 << 20 };

/* The end of a transition. */
struct successor {
    uint64_t hash[2], thread; /* that ran; as it is on this way */
    struct check_step step;
    struct vm_state *state; /* NULL: an error that is not the one, or an end */
    bool found;             /* the error */
};

struct successors {
    struct successor *at;
    size_t n, max;
    struct vm_failure wanted; /* kind NONE: any */
    struct vm_failure failure;
};

struct node {
    struct vm_state *state; /* NULL: the boot, or it was expanded */
    uint64_t thread;
    size_t parent; /* itself: the boot */
    unsigned depth;
    struct check_step step; /* that led to it */
};

struct bucket {
    size_t *at; /* nodes */
    size_t n, max;
};

struct fewest {
    struct vm *vm;
    struct walk walk;
    struct successors next;
    struct node *nodes;
    size_t n, max;
    struct bucket *buckets; /* by preemptions */
    struct store_user *seen;
    size_t transitions;
    unsigned length; /* steps of the way, the last one included */
};

/* ---- a state's successors -------------------------------------------------------- */

static struct check_step copy_step(const int *choices, size_t n)
{
    struct check_step step = {0};
    size_t max = 0;
    for (size_t i = 0; i < n; i++)
        ARRAY_PUSH(step.choices, step.n, max, choices[i]);
    return step;
}

static bool is_wanted(const struct successors *next, struct vm_failure failure)
{
    return next->wanted.kind == VM_FAULT_NONE ||
           (failure.kind == next->wanted.kind && failure.place == next->wanted.place);
}

static bool visit(void *context, struct walk *walk)
{
    struct fewest *f = context;
    struct successors *next = &f->next;
    struct successor s = {.thread = vm_thread(walk->vm),
                          .step = copy_step(walk->choices, walk->nchoices)};
    unsigned flags = vm_flags(walk->vm);
    f->transitions++;
    if (flags & VM_FLAG_ERROR) {
        next->failure = vm_failure(walk->vm);
        s.found = is_wanted(next, next->failure);
    } else if (!(flags & (VM_FLAG_CANCEL | VM_FLAG_END)) && walk_hash(walk, s.hash)) {
        s.step.hash = store_id_of(s.hash);
        s.state = vm_snapshot(walk->vm);
    }
    ARRAY_PUSH(next->at, next->n, next->max, s);
    return true;
}

static void drop_successors(struct successors *next)
{
    for (size_t i = 0; i < next->n; i++) {
        if (next->at[i].state)
            vm_release(next->at[i].state);
        free(next->at[i].step.choices);
    }
    next->n = 0;
}

/* Expands a state, which is gone then, or the boot; false if the machine was halted. */
static bool expand(struct fewest *f, struct vm_state *state)
{
    drop_successors(&f->next);
    return walk_successors(&f->walk, state, &(struct walk_visitor){.visit = visit}, f);
}

static bool can_go_on(const struct successors *next, uint64_t thread)
{
    for (size_t i = 0; i < next->n; i++)
        if (next->at[i].thread == thread)
            return true;
    return false;
}

/* Expands a state, which is gone then, or the boot; false if the machine was halted, or if the
 * search has used up what it may use.  The path to the error is known, so it is no error to do
 * without. */
static bool expand_within_limits(struct fewest *f, struct vm_state *state)
{
    if (f->transitions <= MOST && vm_has_room(ROOM))
        return expand(f, state);
    if (state)
        vm_release(state);
    return false;
}

/* ---- the given way --------------------------------------------------------------- */

static struct successor *find_step(struct successors *next, const struct check_step *step)
{
    for (size_t i = 0; i < next->n; i++)
        if (next->at[i].step.n == step->n &&
            (!step->n ||
             !memcmp(next->at[i].step.choices, step->choices, step->n * sizeof *step->choices)))
            return &next->at[i];
    return NULL;
}

/* Counts the preemptions of a path and finds what it ends with; SIZE_MAX if it cannot be
 * followed. */
static size_t count_preemptions(struct fewest *f, const struct check_path *path,
                                struct vm_failure *failure)
{
    struct vm_state *state = NULL;
    uint64_t thread = 0;
    size_t count = 0;
    for (size_t i = 0; i < path->n; i++) {
        if (!expand_within_limits(f, state))
            return SIZE_MAX;
        struct successor *step = find_step(&f->next, &path->steps[i]);
        if (!step || (i + 1 < path->n && !step->state))
            return SIZE_MAX;
        count += step->thread != thread && can_go_on(&f->next, thread);
        thread = step->thread;
        state = step->state;
        step->state = NULL;
    }
    *failure = f->next.failure;
    if (!state)
        return count;
    vm_release(state);
    return SIZE_MAX;
}

/* ---- ways with fewer ------------------------------------------------------------- */

static uint64_t mix(uint64_t a, uint64_t b)
{
    static const uint64_t odd = 0x9e3779b97f4a7c15;
    a = (a ^ b) * odd;
    return a ^ a >> 29;
}

/* Is this the first path to the state, with that thread, in so many steps and as few
 * preemptions? */
static bool is_first(struct fewest *f, const struct successor *s, unsigned depth)
{
    uint64_t key[2] = {mix(mix(s->hash[0], s->thread), depth), s->hash[1]};
    store_id same;
    return store_find_or_put(f->seen, key, STORE_NONE, NULL, &same) == STORE_NEW;
}

static void push(struct fewest *f, size_t preemptions, struct node node)
{
    struct bucket *bucket = &f->buckets[preemptions];
    ARRAY_PUSH(f->nodes, f->n, f->max, node);
    ARRAY_PUSH(bucket->at, bucket->n, bucket->max, f->n - 1);
}

/* Pushes the successors of a node; true if one is the error at the end of a path that is short
 * enough: the last node. */
static bool look_at_successors(struct fewest *f, size_t parent, size_t preemptions,
                               size_t bound)
{
    struct node from = f->nodes[parent];
    bool goes_on = can_go_on(&f->next, from.thread);
    for (size_t i = f->next.n; i-- > 0;) { /* the last one that is pushed is looked at first */
        struct successor *s = &f->next.at[i];
        size_t now = preemptions + (goes_on && s->thread != from.thread);
        bool open = s->state && from.depth + 1 < f->length && is_first(f, s, from.depth + 1);
        if (now >= bound || !(open || s->found))
            continue;
        push(f, now, (struct node){s->state, s->thread, parent, from.depth + 1, s->step});
        s->state = NULL;
        s->step = (struct check_step){0};
        if (s->found)
            return true;
    }
    return false;
}

/* Finds the error with fewer preemptions than the bound; false if it was not found. */
static bool find(struct fewest *f, size_t bound)
{
    push(f, 0, (struct node){0});
    for (size_t now = 0; now < bound; now++) {
        struct bucket *bucket = &f->buckets[now];
        while (bucket->n) {
            size_t k = bucket->at[--bucket->n];
            struct vm_state *state = f->nodes[k].state;
            f->nodes[k].state = NULL;
            if (!expand_within_limits(f, state))
                return false;
            if (look_at_successors(f, k, now, bound))
                return true;
        }
    }
    return false;
}

static void take(struct fewest *f, struct check_path *path)
{
    size_t max = 0, k = f->n - 1;
    check_path_fini(path);
    for (size_t i = 0; i < f->nodes[k].depth; i++)
        ARRAY_PUSH(path->steps, path->n, max, (struct check_step){0});
    for (size_t i = path->n; i-- > 0; k = f->nodes[k].parent) {
        path->steps[i] = f->nodes[k].step;
        f->nodes[k].step = (struct check_step){0};
    }
}

static void fini(struct fewest *f, size_t bound)
{
    drop_successors(&f->next);
    free(f->next.at);
    for (size_t i = 0; i < f->n; i++) {
        if (f->nodes[i].state)
            vm_release(f->nodes[i].state);
        free(f->nodes[i].step.choices);
    }
    free(f->nodes);
    for (size_t i = 0; f->buckets && i < bound; i++)
        free(f->buckets[i].at);
    free(f->buckets);
    walk_fini(&f->walk);
    vm_close(f->vm);
}

void path_take_fewest(const struct vm_program *program, const struct vm_options *options,
                      const _Atomic int *halt, struct check_path *path)
{
    struct vm_options machine = *options;
    machine.halt = halt;
    struct fewest f = {.vm = vm_open(program, &machine), .length = (unsigned)path->n};
    struct store *store = store_open(&(struct store_options){.users = 1});
    if (!f.vm || !store || path->n > MOST_STEPS) {
        if (f.vm)
            vm_close(f.vm);
        store_close(store);
        return;
    }
    walk_init(&f.walk, f.vm);
    f.seen = store_user(store, 0);
    struct vm_failure failure = {0};
    size_t bound = count_preemptions(&f, path, &failure);
    bound = bound == SIZE_MAX ? 0 : bound;
    f.next.wanted = failure;
    f.buckets = calloc(bound + 1, sizeof *f.buckets);
    if (f.buckets && bound && find(&f, bound))
        take(&f, path);
    fini(&f, bound);
    store_close(store);
}
