/* endless.c - see endless.h. */
#include "endless.h"

#include <stdlib.h>

#include "checker/array.h"
#include "checker/search/spill.h"
#include "ends.h"

/* So many states are expanded at once for one state; farther paths are looked for when the
 * search is through. */
enum { NEAR = 1000 };

/* Where loads may read older values, loops may have states without end: so many are expanded at
 * once to find where a path may be cut. */
enum { FAR = 300 };

enum { STRAIGHT = 8 };

/* ---- during the search ----------------------------------------------------------- */

bool endless_is_later(const struct search_worker *worker, store_id id)
{
    switch (store_age(worker->user, id)) {
    case STORE_NOW: return true;
    case STORE_BEFORE: return id > worker->current->id;
    case STORE_LONG_AGO: break;
    }
    return false;
}

static bool is_enough(void *context, store_id id)
{
    struct search_worker *worker = context;
    return !store_has(worker->user, id) || endless_is_later(worker, id);
}

static void note(struct search_worker *worker, store_id state, unsigned depth)
{
    const struct search *search = worker->search;
    struct search_error error = {.state = state, .depth = depth, .endless = true};
    if (search->options->all_errors || search->options->endless_last)
        error.failure.kind = VM_FAULT_ENDLESS;
    errors_note(&worker->errors, &error);
}

/* A path that is tried before all others: at each state on to the first successor that was not
 * on it. */
struct way {
    struct search_worker *worker;
    store_id ids[STRAIGHT];
    size_t n;
    struct vm_state *next;
    bool enough;
};

static bool is_on(const struct way *way, store_id id)
{
    for (size_t i = 0; i < way->n; i++)
        if (way->ids[i] == id)
            return true;
    return false;
}

static bool go_along(void *context, struct walk *walk)
{
    struct way *way = context;
    uint64_t hash[2];
    way->enough = way->enough || vm_flags(walk->vm) & ENDS_OVER || vm_broken(walk->vm);
    if (way->enough || !walk_hash(walk, hash))
        return false;
    store_id id = store_id_of(hash);
    way->enough = is_enough(way->worker, id);
    if (way->enough)
        return false;
    if (is_on(way, id))
        return true;
    way->ids[way->n++] = id;
    way->next = vm_snapshot(walk->vm);
    return false;
}

static bool passes_by(void *context, struct walk *walk, const struct vm_prediction *prediction,
                      struct store_place *place)
{
    struct way *way = context;
    store_id id = store_id_of(prediction->hash);
    (void)walk, (void)place;
    way->enough = way->enough || prediction->flags & VM_FLAG_END || is_enough(way->worker, id);
    return way->enough || is_on(way, id);
}

/* Does such a path lead to a later state or an end?  From most states it does within two
 * steps. */
static bool goes_straight(struct search_worker *worker)
{
    static const struct walk_visitor visitor = {.visit = go_along, .leaves_out = passes_by};
    struct way way = {.worker = worker, .ids = {worker->current->id}, .n = 1};
    struct vm_state *state;
    if (worker->last == worker->current->id)
        return false;
    if (worker->last) {
        way.ids[way.n++] = worker->last;
        state = vm_snapshot(worker->vm);
    } else {
        state = vm_restored(worker->vm);
    }
    while (state) {
        way.next = NULL;
        worker->ends.expanded++;
        bool good = walk_successors(&worker->walk, state, &visitor, &way);
        state = good && !way.enough ? way.next : NULL;
        if (state && way.n == STRAIGHT) {
            vm_release(state);
            state = NULL;
        }
    }
    return way.enough;
}

static enum ends_answer judge(struct search_worker *worker)
{
    struct ends *ends = &worker->ends;
    struct vm_state *state = vm_restored(worker->vm);
    ends->walk = &worker->walk;
    ends->is_enough = is_enough;
    ends->context = worker;
    if (!goes_straight(worker))
        return ends_search(ends, state, worker->current->id, NEAR);
    vm_release(state);
    return ENDS_REACHED;
}

/* Is a run that is endless known already, from a state before this level?  Then the search goes
 * on for something else. */
static bool is_known(const struct search_worker *worker)
{
    bool known = false;
    for (size_t k = 0; k < worker->errors.n && worker->search->options->endless_last; k++)
        known |= worker->errors.at[k].endless &&
                 worker->errors.at[k].depth <= worker->current->depth;
    return known;
}

void endless_judge(struct search_worker *worker)
{
    if (is_known(worker))
        return;
    struct search *search = worker->search;
    const struct task *task = worker->current;
    uint64_t before = vm_stats(worker->vm)->instructions;
    switch (judge(worker)) {
    case ENDS_REACHED: break;
    case ENDS_NEVER:
        note(worker, task->id, task->depth + 1);
        if (!search->levels && !search->options->all_errors && !search->options->endless_last)
            search_stop(search, STOP_ERROR, CHECK_LIMIT_NONE);
        break;
    case ENDS_MANY:
        ARRAY_PUSH(worker->far, worker->nfar, worker->max_far,
                   (struct search_far){task->id, task->depth});
        break;
    case ENDS_HALTED:
        if (!search_is_halted(search))
            search_stop(search, STOP_LIMIT, spill_memory_limit(search->spill));
        break;
    }
    ends_clear(&worker->ends);
    worker->aside += vm_stats(worker->vm)->instructions - before;
}

/* ---- when it is through ---------------------------------------------------------- */

/* Takes one step of a path, from the state before it; false if it does not go as recorded. */
static bool step_on(struct walk *walk, const struct check_step *step, bool first)
{
    uint64_t hash[2];
    if (first)
        vm_boot(walk->vm);
    else
        vm_start(walk->vm);
    return path_step(walk->vm, step) && walk_hash(walk, hash) &&
           (!step->hash || store_id_of(hash) == step->hash);
}

static int compare(const void *a, const void *b)
{
    const struct search_far *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->state < y->state ? -1 : x->state > y->state;
}

/* Lists the states that were put off, the nearest first, so that the list is the same in every
 * run. */
static struct search_far *list_far(const struct search *search, size_t *n)
{
    struct search_far *list = NULL;
    size_t max = *n = 0;
    for (unsigned i = 0; i < search->nworkers; i++)
        for (size_t k = 0; k < search->workers[i].nfar; k++)
            ARRAY_PUSH(list, *n, max, search->workers[i].far[k]);
    if (*n)
        qsort(list, *n, sizeof *list, compare);
    return list;
}

/* Looks for an end from a state of which only the fingerprint is known. */
static enum ends_answer search_from(struct search *search, struct ends *ends,
                                    const struct search_far *far, const _Atomic int *halt)
{
    struct check_path path = {0};
    bool good = path_to_state(search, far->state, halt, &path);
    for (size_t i = 0; good && i < path.n; i++)
        good = step_on(ends->walk, &path.steps[i], i == 0);
    check_path_fini(&path);
    return good ? ends_search(ends, vm_snapshot(ends->walk->vm), far->state, 0) : ENDS_HALTED;
}

/* Looks for an end from each state of a list; true if the search was to halt. */
static bool judge_all(struct search *search, struct ends *ends, const struct search_far *far,
                      size_t n, const _Atomic int *halt)
{
    for (size_t i = 0; i < n; i++)
        switch (search_from(search, ends, &far[i], halt)) {
        case ENDS_REACHED:
        case ENDS_MANY: break;
        case ENDS_NEVER:
            note(&search->workers[0], far[i].state, far[i].depth + 1);
            return false;
        case ENDS_HALTED: return true;
        }
    return false;
}

void endless_judge_far(struct search *search)
{
    size_t n;
    struct search_far *far = list_far(search, &n);
    for (unsigned i = 0; i < search->nworkers && search->options->endless_last; i++)
        n = search->workers[i].errors.n ? 0 : n; /* a nearer one is known */
    struct guard guard;
    struct walk walk;
    guard_begin(&guard, search->options, search->options->deadline);
    struct vm *vm = n ? search_machine(search, &guard.halt, &walk) : NULL;
    bool halted = n;
    if (vm) {
        struct ends ends = {.walk = &walk};
        halted = judge_all(search, &ends, far, n, &guard.halt);
        search->looked_on += ends.expanded;
        ends_fini(&ends);
        walk_fini(&walk);
        vm_close(vm);
    }
    guard_end(&guard);
    enum check_limit limit = CHECK_LIMIT_MEMORY;
    bool told = guard_halted(&guard, &limit);
    search->unjudged = halted;
    if (halted && told && limit == CHECK_LIMIT_NONE)
        search_stop(search, STOP_INTERRUPT, limit);
    else if (halted)
        search_stop(search, STOP_LIMIT, told ? limit : CHECK_LIMIT_MEMORY);
    free(far);
}

/* ---- the way to it --------------------------------------------------------------- */

/* A state on a path. */
struct mile {
    struct vm_state *state;
    store_id id;
    uint64_t instructions; /* of the step to it */
};

/* Collects the states of a path; returns how many they are. */
static size_t states_of(struct walk *walk, const struct check_path *path, struct mile *miles)
{
    size_t n = 0;
    for (; n < path->n; n++) {
        uint64_t hash[2], before = vm_stats(walk->vm)->instructions;
        if (!step_on(walk, &path->steps[n], n == 0))
            break;
        walk_hash(walk, hash);
        miles[n] = (struct mile){vm_snapshot(walk->vm), store_id_of(hash),
                                 vm_stats(walk->vm)->instructions - before};
    }
    return n;
}

/* Ends a path behind the first state from which there is no end.  The next steps tell why: some
 * follow, up to a long one, which is a loop most likely. */
static void end_after(struct check_path *path, const struct mile *miles, size_t first)
{
    enum { MORE = 20, LONG = 20000 };
    size_t max = path->n, n = first + 1;
    while (n < path->n && n <= first + MORE && miles[n].instructions < LONG)
        n++;
    path->steps[first].no_end = true;
    while (path->n > n)
        free(path->steps[--path->n].choices);
    ARRAY_PUSH(path->steps, path->n, max, (struct check_step){.endless = true});
}

/* Cuts the path to what is necessary; false if there are ends, or if that is not known.  The
 * last state has been judged: what comes after it are finitely many states.  most: of each
 * state before it so many are expanded at once, 0 for all; one from which that is too few, and
 * those before it, count as some from which there could be an end. */
static bool cut(struct ends *ends, struct check_path *path, size_t most)
{
    struct mile *miles = calloc(path->n, sizeof *miles);
    if (!miles)
        vm_exhausted();
    size_t n = states_of(ends->walk, path, miles), first = path->n;
    enum ends_answer answer = n == path->n ? ENDS_NEVER : ENDS_HALTED;
    while (n > 0 && answer == ENDS_NEVER) {
        n--;
        answer = ends_search(ends, miles[n].state, miles[n].id, n + 1 < path->n ? most : 0);
        if (answer == ENDS_NEVER)
            first = n;
    }
    while (n > 0)
        vm_release(miles[--n].state);
    bool good = answer != ENDS_HALTED && first < path->n;
    if (good)
        end_after(path, miles, first);
    free(miles);
    return good;
}

bool endless_path(struct search *search, const struct search_error *error,
                  const _Atomic int *halt, struct check_path *path)
{
    struct walk walk;
    struct vm *vm = search_machine(search, halt, &walk);
    if (!vm)
        return false;
    struct ends ends = {.walk = &walk};
    bool weak = vm_model(search->program, &search->machine) == VM_MODEL_C11;
    bool found =
        path_to_state(search, error->state, halt, path) && cut(&ends, path, weak ? FAR : 0);
    ends_fini(&ends);
    walk_fini(&walk);
    vm_close(vm);
    return found && path_numbers(search, halt, path);
}

/* ---- a way that was told before -------------------------------------------------- */

bool check_never_ends(const struct vm_program *program, const struct vm_options *machine,
                      const struct check_path *path)
{
    struct vm *vm = vm_open(program, machine);
    struct walk walk;
    struct ends ends = {.walk = &walk};
    uint64_t hash[2] = {0};
    if (!vm)
        return false;
    walk_init(&walk, vm);
    size_t i = 0;
    bool good = true;
    for (; good && i < path->n; i++) {
        good = !path->steps[i].endless && step_on(&walk, &path->steps[i], i == 0);
        if (path->steps[i].no_end)
            break;
    }
    good = good && i < path->n && walk_hash(&walk, hash);
    good = good && ends_search(&ends, vm_snapshot(vm), store_id_of(hash), 0) == ENDS_NEVER;
    ends_fini(&ends);
    walk_fini(&walk);
    vm_close(vm);
    return good;
}

/* ---- what goes on ---------------------------------------------------------------- */

/* Returns a random number below n. */
static int pick(uint64_t *random, int n)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (int)((*random >> 33) % (unsigned)n);
}

/* Makes one random transition; false if the run does not go on. */
static bool go_on(struct vm *vm, uint64_t *random)
{
    enum vm_stop stop;
    vm_start(vm);
    while ((stop = vm_run(vm)) == VM_STOP_CHOOSE)
        vm_choose(vm, pick(random, vm_pending(vm).n));
    bool good = stop == VM_STOP_END && !vm_flags(vm) && !vm_broken(vm);
    if (good)
        vm_finish(vm);
    return good;
}

/* Makes so many transitions, or as many as take LONG instructions. */
static bool go_on_for(struct vm *vm, uint64_t *random, int most)
{
    enum { LONG = 2000000 };
    uint64_t before = vm_stats(vm)->instructions;
    bool good = true;
    for (int k = 0; good && k < most; k++) {
        if (vm_stats(vm)->instructions - before > LONG)
            break;
        good = go_on(vm, random);
    }
    return good;
}

/* Returns the step that leads to the beginning of a loop; path->n: there is none. */
static size_t loop_of(const struct check_path *path)
{
    size_t k = 0;
    while (k < path->n && !path->steps[k].loop)
        k++;
    return k;
}

/* BEFORE: transitions after which whatever comes to an end has ended.  SEEN: transitions in
 * which whatever goes on is seen. */
enum { BEFORE = 20000, SEEN = 1000 };

void check_go_on(const struct vm_program *program, const struct vm_options *machine,
                 const struct check_path *path, void (*begin)(void *context, struct vm *vm),
                 vm_listener *listener, void *context)
{
    struct vm_options plain = *machine;
    plain.notes = false; /* hashes are those of the search */
    struct vm *vm = vm_open(program, &plain);
    struct walk walk;
    uint64_t random = 1;
    if (!vm)
        return;
    walk_init(&walk, vm);
    begin(context, vm);
    size_t i = 0, loop = loop_of(path);
    while (i + 1 < path->n && i <= loop && step_on(&walk, &path->steps[i], i == 0))
        i++;
    bool lasso = loop < path->n, good = lasso ? i == loop + 1 : i + 1 == path->n;
    good = good && (lasso || go_on_for(vm, &random, BEFORE));
    vm_listen(vm, listener, context);
    if (lasso)
        while (i + 1 < path->n && step_on(&walk, &path->steps[i], false))
            i++;
    if (good && (lasso || go_on_for(vm, &random, SEEN))) {
        path_start_endless(vm, path);
        vm_run(vm);
    }
    vm_listen(vm, NULL, NULL);
    walk_fini(&walk);
    vm_close(vm);
}
