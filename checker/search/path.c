/* path.c - the path to an error: found backwards by the links of the store, and forwards by
 * running, until each state's fingerprint comes again.
 *
 * A link has only the first bits of the parent's fingerprint, so now and then it leads to
 * a state that the other one is no successor of.  Running shows that; this step is noted
 * as false, and the way is looked for again without it.  The states that were really
 * come from are among the candidates and their steps are never false, so a way is found. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "search.h"

struct goal {
    store_id wanted;
    struct check_step step;
    struct vm_state *state; /* NULL until it is reached */
};

static void copy_choices(struct check_step *step, const int *choices, size_t n)
{
    size_t max = 0;
    step->choices = NULL;
    step->n = 0;
    for (size_t i = 0; i < n; i++)
        ARRAY_PUSH(step->choices, step->n, max, choices[i]);
}

static bool visit_goal(void *context, struct walk *walk)
{
    struct goal *goal = context;
    if (vm_flags(walk->vm) & (VM_FLAG_ERROR | VM_FLAG_CANCEL))
        return true;
    uint64_t hash[2];
    if (!walk_hash(walk, hash) || store_id_of(hash) != goal->wanted)
        return true;
    goal->step.hash = goal->wanted;
    copy_choices(&goal->step, walk->choices, walk->nchoices);
    goal->state = vm_snapshot(walk->vm);
    return false;
}

/* The end of a path: its last step. */
struct end {
    struct check_step step;
    struct vm_failure failure; /* kind NONE: any will do */
    bool found;
};

/* Stops at the first such error that a state leads to.  The choices that led to the error when
 * it was found do not tell which: of several alike, another thread may have stood there
 * (symmetric threads). */
static bool visit_error(void *context, struct walk *walk)
{
    struct end *end = context;
    struct vm_failure failure = vm_failure(walk->vm);
    if (!(vm_flags(walk->vm) & VM_FLAG_ERROR))
        return true;
    if (end->failure.kind != VM_FAULT_NONE &&
        (failure.kind != end->failure.kind || failure.place != end->failure.place))
        return true;
    copy_choices(&end->step, walk->choices, walk->nchoices);
    end->found = true;
    return false;
}

/* ---- backwards ------------------------------------------------------------------- */

struct false_step {
    store_id from, to;
};

struct chain {
    struct search *search;
    store_id *ids; /* the last state's first, up to a root */
    size_t n, max;
    struct false_step *wrong;
    size_t nwrong, max_wrong;
};

static bool is_wrong(const struct chain *chain, store_id from, store_id to)
{
    for (size_t i = 0; i < chain->nwrong; i++)
        if (chain->wrong[i].from == from && chain->wrong[i].to == to)
            return true;
    return false;
}

/* Notes a state of the chain; false if it was on the chain already, or in a dead end. */
static bool is_first_visit(struct store_user *seen, store_id id)
{
    store_id same;
    return store_find_or_put(seen, (uint64_t[]){id, 0}, STORE_NONE, NULL, &same) == STORE_NEW;
}

/* Takes a step back from the end of the chain, to a candidate above `after`; STORE_NONE: it is
 * a dead end. */
static store_id step_back(const struct chain *chain, struct store_user *seen, store_id after)
{
    struct store_user *user = store_user(chain->search->store, 0);
    store_id to = chain->ids[chain->n - 1], from = after;
    while ((from = store_next_parent(user, to, from)) != STORE_NONE)
        if (!is_wrong(chain, from, to) && is_first_visit(seen, from))
            return from;
    return STORE_NONE;
}

/* Finds a chain of states, depth first, from the given state back to a root; false if there is
 * none. */
static bool find_chain(struct chain *chain, store_id state)
{
    struct store *visited = store_open(&(struct store_options){.users = 1});
    if (!visited)
        return false;
    struct store_user *seen = store_user(visited, 0);
    struct store_user *user = store_user(chain->search->store, 0);
    store_id after = STORE_NONE;
    chain->n = 0;
    ARRAY_PUSH(chain->ids, chain->n, chain->max, state);
    is_first_visit(seen, state);
    while (chain->n && !store_is_root(user, chain->ids[chain->n - 1])) {
        store_id from = step_back(chain, seen, after);
        after = STORE_NONE;
        if (from != STORE_NONE)
            ARRAY_PUSH(chain->ids, chain->n, chain->max, from);
        else
            after = chain->ids[--chain->n];
    }
    store_close(visited);
    return chain->n;
}

/* ---- forwards -------------------------------------------------------------------- */

/* Runs along the chain, and if all of it is reached, on to the error, unless that is NULL;
 * returns how many of its states were reached. */
static size_t follow_chain(const struct chain *chain, struct walk *walk,
                           const struct search_error *error, struct check_path *path)
{
    struct goal goal = {0};
    size_t max = 0, i = 0;
    check_path_fini(path);
    for (; i < chain->n; i++) {
        struct vm_state *from = goal.state;
        goal = (struct goal){.wanted = chain->ids[chain->n - 1 - i]};
        walk_successors(walk, from, &(struct walk_visitor){.visit = visit_goal}, &goal);
        if (!goal.state)
            return i;
        ARRAY_PUSH(path->steps, path->n, max, goal.step);
    }
    if (!error) {
        if (goal.state)
            vm_release(goal.state);
        return i;
    }
    struct end end = {.failure = error->failure};
    walk_successors(walk, goal.state, &(struct walk_visitor){.visit = visit_error}, &end);
    ARRAY_PUSH(path->steps, path->n, max, end.step);
    return i;
}

/* Finds a path to a state (STORE_NONE: the boot), and on to the error unless that is NULL. */
static bool find_path(struct chain *chain, store_id state, const struct search_error *error,
                      struct walk *walk, const _Atomic int *halt, struct check_path *path)
{
    while (!atomic_load_explicit(halt, memory_order_relaxed)) {
        if (state != STORE_NONE && !find_chain(chain, state))
            return false;
        size_t reached = follow_chain(chain, walk, error, path);
        if (reached == chain->n)
            return !atomic_load_explicit(halt, memory_order_relaxed);
        if (!reached)
            return false; /* not even a root */
        const store_id *to = &chain->ids[chain->n - 1 - reached];
        ARRAY_PUSH(chain->wrong, chain->nwrong, chain->max_wrong,
                   (struct false_step){to[1], to[0]});
    }
    return false;
}

bool path_step(struct vm *vm, const struct check_step *step)
{
    size_t used = 0;
    enum vm_stop stop;
    while ((stop = vm_run(vm)) == VM_STOP_CHOOSE) {
        int n = vm_pending(vm).n, value = 0;
        if (n > 1) {
            if (used == step->n || step->choices[used] < 0 || step->choices[used] >= n)
                return false;
            value = step->choices[used++];
        }
        vm_choose(vm, value);
    }
    return stop == VM_STOP_END && used == step->n;
}

/* Puts hashes into a path of an exact store, whose states have numbers that mean nothing
 * elsewhere. */
static bool hash_path(struct search *search, const _Atomic int *halt, struct check_path *path)
{
    struct vm_options machine = search->machine;
    machine.halt = halt;
    struct vm *vm = vm_open(search->program, &machine);
    struct walk walk;
    if (!vm)
        return false;
    walk_init(&walk, vm);
    size_t i = 0;
    for (; i + 1 < path->n; i++) {
        if (i == 0)
            vm_boot(vm);
        else
            vm_start(vm);
        if (!path_step(vm, &path->steps[i]))
            break;
        uint64_t hash[2];
        walk_hash(&walk, hash);
        path->steps[i].hash = store_id_of(hash);
    }
    walk_fini(&walk);
    vm_close(vm);
    return i + 1 == path->n;
}

static bool find(struct search *search, store_id state, const struct search_error *error,
                 const _Atomic int *halt, struct check_path *path)
{
    struct walk walk;
    struct chain chain = {.search = search};
    struct vm *vm = search_machine(search, halt, &walk);
    if (!vm)
        return false;
    bool found = find_path(&chain, state, error, &walk, halt, path);
    walk_fini(&walk);
    vm_close(vm);
    free(chain.ids);
    free(chain.wrong);
    return found;
}

bool path_find(struct search *search, const struct search_error *error, const _Atomic int *halt,
               struct check_path *path)
{
    return find(search, error->state, error, halt, path) && path_numbers(search, halt, path);
}

bool path_to_state(struct search *search, store_id state, const _Atomic int *halt,
                   struct check_path *path)
{
    return find(search, state, NULL, halt, path);
}

bool path_numbers(struct search *search, const _Atomic int *halt, struct check_path *path)
{
    return !search->options->exact || hash_path(search, halt, path);
}

/* ---- re-execution ---------------------------------------------------------------- */

/* Did the step lead to the state that was recorded?  noted: registers are not those of the
 * search, and so are the hashes (vm_options.notes). */
static bool as_recorded(struct walk *walk, const struct check_step *step, bool noted, bool last)
{
    bool error = vm_flags(walk->vm) & VM_FLAG_ERROR;
    if (last)
        return error;
    if (error)
        return false;
    if (!step->hash)
        return true;
    uint64_t hash[2];
    walk_hash(walk, hash);
    return noted || store_id_of(hash) == step->hash;
}

/* Tells the listener a text as if the program said so. */
static void tell(vm_listener *listener, void *context, const char *text)
{
    listener(context, &(struct vm_event){.kind = VM_EVENT_TRACE,
                                         .trace = VM_TRACE_NOTE,
                                         .data = text,
                                         .len = strlen(text)});
}

/* Tells the listener what the path says of the state that step i leads to. */
static void tell_of_state(const struct check_path *path, size_t i, vm_listener *listener,
                          void *context)
{
    if (!listener)
        return;
    if (path->steps[i].no_end)
        tell(listener, context, "from here on no end can be reached");
    if (path->steps[i].loop && i + 2 < path->n)
        tell(listener, context, "from here on the same again and again");
    else if (path->steps[i].loop)
        tell(listener, context, "the program has ended, and nothing more comes");
}

void path_start_endless(struct vm *vm, const struct check_path *path)
{
    const struct check_endless *endless = &path->endless;
    vm_start_error(vm, endless->kind ? endless->kind : VM_FAULT_ENDLESS,
                   endless->text ? endless->text : PATH_ENDLESS);
}

/* A listener to an infinite run: the first actions of a transition say enough, since a thread
 * that is alone may go round a loop many times in one. */
struct hearing {
    vm_listener *listener;
    void *context;
    bool infinite;
    unsigned heard; /* actions of the transition */
};

static void hear(void *context, const struct vm_event *event)
{
    enum { MOST = 20 };
    struct hearing *hearing = context;
    bool acts = event->kind == VM_EVENT_ACTION || event->kind == VM_EVENT_ACCESS;
    if (acts && hearing->infinite && ++hearing->heard == MOST)
        tell(hearing->listener, hearing->context, "and so on");
    if (!acts || hearing->heard < MOST)
        hearing->listener(hearing->context, event);
}

size_t check_replay(const struct vm_program *program, const struct vm_options *machine,
                    const struct check_path *path, void (*begin)(void *context, struct vm *vm),
                    vm_listener *listener, void *context)
{
    struct vm *vm = vm_open(program, machine);
    if (!vm)
        return 0;
    struct walk walk;
    walk_init(&walk, vm);
    if (begin)
        begin(context, vm);
    struct hearing hearing = {.listener = listener,
                              .context = context,
                              .infinite = path->endless.kind != VM_FAULT_NONE};
    vm_listen(vm, listener ? hear : NULL, &hearing);
    size_t i = 0;
    for (; i < path->n; i++) {
        hearing.heard = 0;
        if (i == 0)
            vm_boot(vm);
        else if (path->steps[i].endless)
            path_start_endless(vm, path);
        else
            vm_start(vm);
        if (!path_step(vm, &path->steps[i]) ||
            !as_recorded(&walk, &path->steps[i], machine->notes, i + 1 == path->n))
            break;
        tell_of_state(path, i, listener, context);
    }
    vm_listen(vm, NULL, NULL);
    walk_fini(&walk);
    vm_close(vm);
    return i;
}
