/* path.c - the way to an error: found backwards by the links of the store, and
 * forwards by running, until each state's fingerprint comes again. */
#include <stdlib.h>

#include "array.h"
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
    walk_hash(walk, hash);
    if (store_id_of(hash) != goal->wanted)
        return true;
    goal->step.hash = goal->wanted;
    copy_choices(&goal->step, walk->choices, walk->nchoices);
    goal->state = vm_snapshot(walk->vm);
    return false;
}

/* From the boot to the given state: its id last. */
static store_id *ids_to(struct search *search, store_id state, size_t *n)
{
    struct store_user *user = store_user(search->store, 0);
    store_id *ids = NULL;
    size_t max = 0;
    *n = 0;
    for (store_id id = state; id != STORE_NONE; id = store_parent(user, id))
        ARRAY_PUSH(ids, *n, max, id);
    for (size_t i = 0; i < *n / 2; i++) {
        store_id swap = ids[i];
        ids[i] = ids[*n - 1 - i];
        ids[*n - 1 - i] = swap;
    }
    return ids;
}

bool path_find(struct search *search, const struct search_error *error, struct check_path *path)
{
    size_t n, max = 0;
    store_id *ids = ids_to(search, error->state, &n);
    struct walk walk;
    struct vm *vm = vm_open(search->program, &search->machine);
    if (!vm) {
        free(ids);
        return false;
    }
    walk_init(&walk, vm);
    struct goal goal = {0};
    bool found = true;
    for (size_t i = 0; found && i < n; i++) {
        struct vm_state *from = goal.state;
        goal = (struct goal){.wanted = ids[i]};
        walk_successors(&walk, from, visit_goal, &goal);
        if (from)
            vm_release(from);
        found = goal.state;
        if (found)
            ARRAY_PUSH(path->steps, path->n, max, goal.step);
    }
    if (goal.state)
        vm_release(goal.state);
    struct check_step last = {0};
    copy_choices(&last, error->choices, error->n);
    ARRAY_PUSH(path->steps, path->n, max, last);
    walk_fini(&walk);
    vm_close(vm);
    free(ids);
    return found;
}

void check_path_fini(struct check_path *path)
{
    for (size_t i = 0; i < path->n; i++)
        free(path->steps[i].choices);
    free(path->steps);
    *path = (struct check_path){0};
}

/* ---- re-execution ----------------------------------------------------------------- */

/* Run one transition by its choices; false if they don't fit. */
static bool replay_step(struct vm *vm, const struct check_step *step)
{
    size_t used = 0;
    while (vm_run(vm) == VM_STOP_CHOOSE) {
        int n = vm_pending(vm).n, value = 0;
        if (n > 1) {
            if (used == step->n || step->choices[used] < 0 || step->choices[used] >= n)
                return false;
            value = step->choices[used++];
        }
        vm_choose(vm, value);
    }
    return used == step->n;
}

static bool as_recorded(struct walk *walk, const struct check_step *step, bool last)
{
    bool error = vm_flags(walk->vm) & VM_FLAG_ERROR;
    if (last)
        return error;
    if (error)
        return false;
    uint64_t hash[2];
    walk_hash(walk, hash);
    return store_id_of(hash) == step->hash;
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
    vm_listen(vm, listener, context);
    size_t i = 0;
    for (; i < path->n; i++) {
        if (i == 0)
            vm_boot(vm);
        else
            vm_start(vm);
        if (!replay_step(vm, &path->steps[i]) ||
            !as_recorded(&walk, &path->steps[i], i + 1 == path->n))
            break;
    }
    vm_listen(vm, NULL, NULL);
    walk_fini(&walk);
    vm_close(vm);
    return i;
}
