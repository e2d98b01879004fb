/* walk.c - see walk.h. */
#include "walk.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

/* Any odd number: it only keeps final states apart. */
static const uint64_t FINAL_SALT = 0x9e3779b97f4a7c15;

void walk_init(struct walk *walk, struct vm *vm)
{
    *walk = (struct walk){.vm = vm};
    reduce_init(&walk->reduce);
}

void walk_fini(struct walk *walk)
{
    reduce_fini(&walk->reduce);
    free(walk->choices);
    free(walk->alternatives);
    free(walk->branches);
}

bool walk_hash(struct walk *walk, uint64_t hash[2])
{
    bool final = vm_flags(walk->vm) & VM_FLAG_END;
    if (walk->exact) {
        size_t n;
        const uint64_t *graph = vm_graph(walk->vm, &n);
        return store_graph(walk->exact, final, graph, n, hash);
    }
    vm_hash(walk->vm, hash);
    if (final)
        hash[0] ^= FINAL_SALT;
    return true;
}

static void take(struct walk *walk, int alternatives, int value)
{
    if (alternatives > 1)
        ARRAY_PUSH(walk->choices, walk->nchoices, walk->max_choices, value);
    vm_choose(walk->vm, value);
}

/* The machine waits: take the first alternative, and remember the others. */
static void choose_first(struct walk *walk)
{
    int n = vm_pending(walk->vm).n;
    reduce_filter(&walk->reduce, walk->vm);
    const struct reduce *reduce = &walk->reduce;
    assert(reduce->nkept > 0);
    int first = reduce->kept[0];
    if (reduce->nkept > 1) {
        struct walk_branch branch = {.next = walk->nalternatives, .nchoices = walk->nchoices};
        for (size_t i = 1; i < reduce->nkept; i++)
            ARRAY_PUSH(walk->alternatives, walk->nalternatives, walk->max_alternatives,
                       reduce->kept[i]);
        branch.end = walk->nalternatives;
        ARRAY_PUSH(walk->branches, walk->nbranches, walk->max_branches, branch);
        vm_mark(walk->vm);
    }
    take(walk, n, first);
}

/* Back to the innermost branch, and on with its next alternative; false if there
 * is none.  The last alternative needs the mark no more. */
static bool choose_next(struct walk *walk)
{
    if (!walk->nbranches)
        return false;
    struct walk_branch *branch = &walk->branches[walk->nbranches - 1];
    int value = walk->alternatives[branch->next++];
    walk->nchoices = branch->nchoices;
    if (branch->next == branch->end) {
        vm_pop(walk->vm);
        walk->nbranches--;
        walk->nalternatives = walk->nbranches ? branch[-1].end : 0;
    } else {
        vm_rollback(walk->vm);
    }
    take(walk, 2, value);
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

void walk_successors(struct walk *walk, struct vm_state *from, walk_visit *visit, void *context)
{
    assert(!walk->nbranches && !walk->nalternatives);
    walk->nchoices = 0;
    if (from) {
        vm_restore(walk->vm, from);
        vm_start(walk->vm);
    } else {
        vm_boot(walk->vm);
    }
    do {
        while (vm_run(walk->vm) == VM_STOP_CHOOSE)
            choose_first(walk);
        if (!visit(context, walk)) {
            unwind(walk);
            return;
        }
    } while (choose_next(walk));
}
