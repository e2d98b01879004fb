/* walk.c - see walk.h. */
#include "walk.h"

#include <assert.h>
#include <stdlib.h>

#include "checker/array.h"

/* Any odd number: it tells the fingerprints of final states from others. */
static const uint64_t FINAL_SALT = 0x9e3779b97f4a7c15;

void walk_init(struct walk *walk, struct vm *vm)
{
    *walk = (struct walk){.vm = vm};
}

void walk_fini(struct walk *walk)
{
    free(walk->choices);
    free(walk->alternatives);
    free(walk->branches);
}

static void tell_final(uint64_t hash[2])
{
    hash[0] ^= FINAL_SALT;
}

bool walk_hash(struct walk *walk, uint64_t hash[2])
{
    bool final = vm_flags(walk->vm) & VM_FLAG_END;
    vm_finish(walk->vm);
    if (walk->exact) {
        size_t n;
        const uint64_t *graph = vm_graph(walk->vm, &n);
        return store_graph(walk->exact, final, graph, n, hash);
    }
    vm_hash(walk->vm, hash);
    if (final)
        tell_final(hash);
    return true;
}

static void take(struct walk *walk, int alternatives, struct walk_step step)
{
    if (alternatives > 1)
        ARRAY_PUSH(walk->choices, walk->nchoices, walk->max_choices, step.value);
    walk->place = step.place;
    vm_choose(walk->vm, step.value);
}

/* Predicts the fingerprints of alternatives all together, so that their places in the store
 * arrive meanwhile. */
static unsigned predict(struct walk *walk, unsigned n, struct vm_prediction *prediction)
{
    unsigned asked = vm_predict_begin(walk->vm, n < WALK_AHEAD ? n : WALK_AHEAD);
    for (unsigned i = 0; i < asked; i++) {
        vm_predict(walk->vm, i, &prediction[i]);
        if (!prediction[i].known)
            continue;
        if (prediction[i].flags & VM_FLAG_END)
            tell_final(prediction[i].hash);
        store_prefetch(walk->store, store_id_of(prediction[i].hash));
    }
    return asked;
}

/* Leaves out predicted successors that the visitor does not want; returns how many steps are
 * left. */
static size_t leave_out(struct walk *walk, const struct walk_visitor *visitor, void *context,
                        const struct vm_prediction *prediction, unsigned asked,
                        struct walk_step *steps, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++) {
        bool told = i < asked && prediction[i].known;
        if (!told || !visitor->leaves_out(context, walk, &prediction[i], &steps[i].place))
            steps[left++] = steps[i];
    }
    return left;
}

/* Lists those of n alternatives that are to be taken, at the end of the list. */
static void list_steps(struct walk *walk, const struct walk_visitor *visitor, void *context,
                       unsigned n)
{
    size_t first = walk->nalternatives;
    struct vm_prediction prediction[WALK_AHEAD];
    bool ahead = visitor->leaves_out && !walk->exact && vm_pending(walk->vm).scheduling;
    unsigned asked = ahead ? predict(walk, n, prediction) : 0;
    for (unsigned i = 0; i < n; i++)
        ARRAY_PUSH(walk->alternatives, walk->nalternatives, walk->max_alternatives,
                   (struct walk_step){.value = (int)i});
    if (visitor->waits)
        visitor->waits(context);
    if (asked)
        walk->nalternatives = first + leave_out(walk, visitor, context, prediction, asked,
                                                walk->alternatives + first, n);
}

/* Takes the first alternative of a choice, and remembers the others.  False if none is left. */
static bool choose_first(struct walk *walk, const struct walk_visitor *visitor, void *context)
{
    struct vm_choice choice = vm_pending(walk->vm);
    int n = choice.n;
    struct walk_branch branch = {.next = walk->nalternatives, .nchoices = walk->nchoices};
    assert(n > 0);
    encounters_note(walk->encounters, walk->vm, &choice);
    list_steps(walk, visitor, context, (unsigned)n);
    branch.end = walk->nalternatives;
    if (branch.next == branch.end)
        return false;
    struct walk_step step = walk->alternatives[branch.next++];
    if (branch.next < branch.end) {
        ARRAY_PUSH(walk->branches, walk->nbranches, walk->max_branches, branch);
        vm_mark(walk->vm);
    } else {
        walk->nalternatives--;
    }
    take(walk, n, step);
    return true;
}

/* Goes back to the innermost branch, and on with its next alternative; false if there is none.
 * The last alternative needs the mark no more. */
static bool choose_next(struct walk *walk)
{
    if (!walk->nbranches)
        return false;
    struct walk_branch *branch = &walk->branches[walk->nbranches - 1];
    struct walk_step step = walk->alternatives[branch->next++];
    walk->nchoices = branch->nchoices;
    if (branch->next == branch->end) {
        vm_pop(walk->vm);
        walk->nbranches--;
        walk->nalternatives = walk->nbranches ? branch[-1].end : 0;
    } else {
        vm_rollback(walk->vm);
    }
    take(walk, 2, step);
    return true;
}

static void unwind(struct walk *walk)
{
    while (walk->nbranches) {
        vm_pop(walk->vm);
        walk->nbranches--;
    }
    walk->nalternatives = 0;
}

bool walk_successors(struct walk *walk, struct vm_state *from,
                     const struct walk_visitor *visitor, void *context)
{
    assert(!walk->nbranches && !walk->nalternatives);
    walk->nchoices = 0;
    walk->place = (struct store_place){0};
    if (from) {
        vm_restore(walk->vm, from);
        vm_start(walk->vm);
    } else {
        vm_boot(walk->vm);
    }
    do {
        bool goes_on = true;
        enum vm_stop stop = VM_STOP_END;
        while (goes_on && (stop = vm_run(walk->vm)) == VM_STOP_CHOOSE)
            goes_on = choose_first(walk, visitor, context);
        bool halted = stop == VM_STOP_HALTED;
        if (halted || (goes_on && !visitor->visit(context, walk))) {
            unwind(walk);
            return !halted;
        }
    } while (choose_next(walk));
    return true;
}
