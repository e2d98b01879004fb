/* confirm.c - confirms that a path is what it tells of: it is executed by its choices, and the
 * formula is evaluated along it as its definition says, without an automaton. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/query/set.h"
#include "explore.h"
#include "holds.h"
#include "liveness.h"

/* The states of the path as far as they are known; state i is the one that step i leads to. */
struct along {
    struct formula_atoms *atoms;
    uint64_t *enabled, (*hash)[2];
    uint8_t *thread; /* that step i was of */
    bool *accepts;   /* the monitor did, in step i */
    size_t n;        /* so many were reached */
    bool ended;
};

static bool choose(struct explorer *e, const struct check_step *step)
{
    size_t used = 0;
    enum vm_stop stop;
    while ((stop = vm_run(e->vm)) == VM_STOP_CHOOSE) {
        int n = vm_pending(e->vm).n, value = 0;
        explorer_note_choice(e);
        if (n > 1) {
            if (used == step->n || step->choices[used] < 0 || step->choices[used] >= n)
                return false;
            value = step->choices[used++];
        }
        vm_choose(e->vm, value);
    }
    return stop == VM_STOP_END && used == step->n;
}

/* Steps to state i. */
static bool step(struct explorer *e, const struct check_path *path, size_t i,
                 struct along *along)
{
    struct transition t;
    explorer_begin_state(e, i == 0);
    if (i == 0)
        vm_boot(e->vm);
    else
        vm_start(e->vm);
    if (!choose(e, &path->steps[i]) || !explorer_see(e, &t) ||
        t.flags & (VM_FLAG_ERROR | VM_FLAG_CANCEL) || e->unsuited)
        return false;
    if (i)
        along->enabled[i - 1] = e->enabled;
    along->atoms[i] = t.atoms;
    along->thread[i] = t.thread;
    along->accepts[i] = t.flags & VM_FLAG_ACCEPT;
    memcpy(along->hash[i], t.hash, sizeof t.hash);
    along->ended = t.flags & VM_FLAG_END;
    if (!along->ended)
        vm_restore(e->vm, vm_snapshot(e->vm));
    return true;
}

/* Finds the state that the loop begins with; the last one has the same, or is the program's
 * end. */
static bool find_loop(const struct check_path *path, const struct along *along, size_t *loop)
{
    size_t k = 0;
    while (k < along->n && !path->steps[k].loop)
        k++;
    *loop = k;
    if (k + 1 >= along->n)
        return k + 1 == along->n && along->ended;
    return !along->ended && !memcmp(along->hash[k], along->hash[along->n - 1], 16);
}

/* Does each thread take a step in the loop, or is there a state in it (strong: are all states)
 * in which it cannot? */
static bool is_fair(const struct along *along, size_t loop, enum query_fairness fairness)
{
    uint64_t steps = 0, once = 0, always = ~0ull;
    for (size_t i = loop; i + 1 < along->n; i++) {
        steps |= 1ull << along->thread[i + 1];
        once |= along->enabled[i];
        always &= along->enabled[i];
    }
    if (loop + 1 == along->n) /* the program has ended */
        return true;
    return fairness == QUERY_ALL ||
           !((fairness == QUERY_STRONGLY_FAIR ? once : always) & ~steps);
}

static bool is_accepted(const struct along *along, size_t loop)
{
    for (size_t i = loop; i + 1 < along->n; i++)
        if (along->accepts[i + 1])
            return true;
    return false;
}

static bool is_violation(const struct check_path *path, const struct along *along,
                         const struct query_set *queries)
{
    size_t loop, query = path->endless.query;
    enum query_fairness fairness = query_set_fairness(queries);
    if (!find_loop(path, along, &loop) || !is_fair(along, loop, fairness))
        return false;
    if (!query)
        return fairness != QUERY_ALL && !along->ended;
    if (path->endless.kind == VM_FAULT_MONITOR)
        return query_set_has_monitor(queries) && is_accepted(along, loop);
    unsigned first;
    const struct formula *formula =
        query > query_set_count(queries) ? NULL : query_set_formula(queries, query - 1, &first);
    size_t n = along->ended ? along->n : along->n - 1; /* the last one is the loop's first */
    return formula && !formula_holds(&formula->holds, first, along->atoms, n, loop);
}

bool liveness_confirms(const struct vm_program *program, const struct vm_options *machine,
                       const struct check_path *path, struct query_set *queries)
{
    struct check_result result = {.machine = *machine};
    _Atomic int never = 0;
    struct explorer e = {.program = program,
                         .queries = queries,
                         .result = &result,
                         .halt = machine->halt ? machine->halt : &never,
                         .fair = query_set_fairness(queries) != QUERY_ALL};
    struct along along = {.atoms = array_zeroed(path->n, sizeof *along.atoms),
                          .enabled = array_zeroed(path->n, sizeof *along.enabled),
                          .hash = array_zeroed(path->n, sizeof *along.hash),
                          .thread = array_zeroed(path->n, sizeof *along.thread),
                          .accepts = array_zeroed(path->n, sizeof *along.accepts)};
    result.machine.tells_threads = e.fair;
    bool good = query_set_is_live(queries) && explorer_open(&e);
    while (good && along.n + 1 < path->n && step(&e, path, along.n, &along))
        along.n++;
    good = good && path->n && along.n + 1 == path->n && path->steps[along.n].endless &&
           is_violation(path, &along, queries);
    explorer_close(&e);
    free(along.atoms);
    free(along.enabled);
    free(along.hash);
    free(along.thread);
    free(along.accepts);
    return good;
}
