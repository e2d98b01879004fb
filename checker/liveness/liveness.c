/* liveness.c - see liveness.h. */
#include "liveness.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "checker/query/formula.h"
#include "checker/query/set.h"
#include "checker/search/usage.h"
#include "explore.h"
#include "product.h"

/* Looks for infinite runs while states are found: at first after so many states, and then after
 * so many times as many. */
enum { FIRST_LOOK = 4096, MORE = 4 };

struct live {
    struct explorer explorer;
    struct guard guard;
    struct lasso lasso;
    size_t query; /* the formula that it violates, from 1 on; 0: it never ends */
    bool found, halted;
    bool clocks; /* there is one if clocks stand still for ever */
    bool large;  /* a formula is */
};

static const char CLOCKS[] = "a run goes on for ever only as long as the clock stands still, "
                             "which --clock says";
static const char LARGE[] = "the formula's automaton would have too many states";

/* ---- looking for a lasso --------------------------------------------------------- */

/* Makes the automaton of a formula that is to be violated; NULL: of runs that the monitor
 * accepts, or that have no end. */
static bool make_automaton(const struct explorer *e, const struct formula *formula,
                           unsigned first, struct automaton *automaton)
{
    if (formula)
        return automaton_of(automaton, &formula->fails, first, e->unknown);
    automaton_of_all(automaton, query_set_has_monitor(e->queries));
    return true;
}

/* Looks for a lasso; true if one was found, or the search is over for another reason. */
static bool find_lasso(struct live *live, const struct formula *formula, unsigned first,
                       bool clocks)
{
    struct automaton automaton = {0};
    struct lasso lasso = {0};
    struct product product = {.graph = &live->explorer.graph,
                              .automaton = &automaton,
                              .fairness = query_set_fairness(live->explorer.queries),
                              .stutters = formula,
                              .clocks = clocks,
                              .by_monitor = query_set_has_monitor(live->explorer.queries),
                              .halt = &live->guard.halt};
    live->large = live->large || !make_automaton(&live->explorer, formula, first, &automaton);
    enum product_answer answer =
        live->large ? PRODUCT_HALTED : product_search(&product, &lasso);
    automaton_fini(&automaton);
    live->halted = live->halted || answer == PRODUCT_HALTED;
    if (answer == PRODUCT_FOUND && clocks) {
        live->clocks = true;
        lasso_fini(&lasso);
    } else if (answer == PRODUCT_FOUND) {
        live->found = true;
        live->lasso = lasso;
    }
    return answer != PRODUCT_EMPTY;
}

/* Looks for one for each formula or the monitor; without these, for a fair run that never ends.
 */
static void find_lassos(struct live *live, bool clocks)
{
    const struct query_set *queries = live->explorer.queries;
    bool any = false;
    for (size_t i = 0; i < query_set_count(queries); i++) {
        unsigned first;
        const struct formula *formula = query_set_formula(queries, i, &first);
        bool asked = formula || query_set_kind(queries, i) == QUERY_MONITOR;
        any = any || asked;
        live->query = i + 1;
        if (asked && find_lasso(live, formula, first, clocks))
            return;
    }
    live->query = 0;
    if (!any)
        find_lasso(live, NULL, 0, clocks);
}

/* Explores, and looks for runs now and then: an infinite run may not need many states. */
static void explore(struct live *live)
{
    struct explorer *e = &live->explorer;
    for (size_t many = FIRST_LOOK; !live->found && !live->halted; many *= MORE) {
        explorer_run(e, many);
        if (e->broken || e->unsuited || e->failed)
            return;
        bool more = explorer_has_more(e);
        find_lassos(live, false);
        if (!more)
            break;
    }
    if (!live->found && !live->halted)
        find_lassos(live, true);
}

/* ---- what it is told as ---------------------------------------------------------- */

static char *text_of(const struct live *live, bool ends)
{
    const struct query_set *queries = live->explorer.queries;
    if (!live->query)
        return check_strdup("every thread goes on, but the program never ends");
    enum query_kind kind = query_set_kind(queries, live->query - 1);
    return check_format("%s%s%s%s", kind == QUERY_ALWAYS_EVENTUALLY ? "always eventually " : "",
                        query_set_text(queries, live->query - 1),
                        kind == QUERY_MONITOR ? " accepts it" : "",
                        ends ? " (in a run that ends)" : "");
}

/* Does the program end, so that only the monitor goes on in the lasso? */
static bool is_over(const struct live *live)
{
    const struct lasso *lasso = &live->lasso;
    const struct graph *graph = &live->explorer.graph;
    uint32_t last = lasso->edges[lasso->n - 1];
    return last != LASSO_STAYS && graph->states[graph->edges[last].to].over;
}

static enum vm_fault_kind kind_of(const struct live *live)
{
    return !live->query                                    ? VM_FAULT_LIVELOCK
           : query_set_has_monitor(live->explorer.queries) ? VM_FAULT_MONITOR
                                                           : VM_FAULT_FORMULA;
}

/* Makes the lasso a path; false if it is not found again. */
static bool make_path(struct live *live)
{
    struct explorer *e = &live->explorer;
    struct check_path *path = &e->result->path;
    if (!explorer_follow(e, &live->lasso, path))
        return false;
    size_t max = path->n;
    bool ends = path->steps[path->n - 1].loop || is_over(live);
    ARRAY_PUSH(path->steps, path->n, max, (struct check_step){.endless = true});
    path->endless = (struct check_endless){
        .kind = kind_of(live),
        .text = text_of(live, ends),
        .query = live->query,
    };
    struct vm_options machine = e->result->machine;
    machine.halt = e->halt;
    return liveness_confirms(e->program, &machine, path, e->queries);
}

static enum check_limit limit_of(const struct live *live)
{
    const struct explorer *e = &live->explorer;
    return live->large || live->clocks ? CHECK_LIMIT_MACHINE
           : e->limited                ? CHECK_LIMIT_STATES
           : e->cut                    ? CHECK_LIMIT_DEPTH
           : e->full || live->halted   ? CHECK_LIMIT_MEMORY
                                       : CHECK_LIMIT_NONE;
}

static void conclude(struct live *live)
{
    struct explorer *e = &live->explorer;
    struct check_result *result = e->result;
    enum check_limit limit;
    if (live->found || e->failed) {
        bool good = live->found ? make_path(live) : explorer_path_to_error(e, &result->path);
        result->outcome = good ? CHECK_ERROR : CHECK_BROKEN;
        if (!good)
            check_out_of_time(&live->guard, result);
        return;
    }
    result->limit = limit_of(live);
    result->outcome = result->limit == CHECK_LIMIT_NONE ? CHECK_OK : CHECK_INCOMPLETE;
    if (guard_halted(&live->guard, &limit)) {
        result->limit = limit;
        result->outcome = limit == CHECK_LIMIT_NONE ? CHECK_INTERRUPTED : CHECK_INCOMPLETE;
    } else if (e->unsuited) {
        result->outcome = CHECK_UNSUITED;
        result->why = e->unsuited;
    } else if (result->limit == CHECK_LIMIT_MACHINE) {
        result->why = live->large ? LARGE : CLOCKS;
    }
}

/* ---- all of it ------------------------------------------------------------------- */

static uint64_t graph_bytes(const struct graph *graph)
{
    return graph->max * sizeof *graph->states + graph->max_edges * sizeof *graph->edges +
           graph->slots * sizeof *graph->table;
}

/* Runs once.  Returns what search_once does: the assumptions of which some must be dropped, or
 * 0. */
static unsigned run_once(const struct vm_program *program, const struct check_options *options,
                         struct query_set *queries, double start, struct check_result *result)
{
    struct rusage usage;
    struct live live = {.explorer = {.program = program,
                                     .options = options,
                                     .queries = queries,
                                     .result = result,
                                     .fair = query_set_fairness(queries) != QUERY_ALL,
                                     .start = start}};
    struct explorer *e = &live.explorer;
    e->halt = &live.guard.halt;
    result->stats = (struct check_stats){0};
    guard_begin(&live.guard, options, options->deadline);
    if (explorer_open(e))
        explore(&live);
    else
        e->full = true;
    if (!e->broken)
        conclude(&live);
    guard_end(&live.guard);
    unsigned broken = e->broken;
    if (result->outcome == CHECK_BROKEN && !result->machine.next_id_matters)
        broken = 1u << VM_ASSUMES_IDS;
    result->stats.store_bytes = graph_bytes(&e->graph);
    lasso_fini(&live.lasso);
    explorer_close(e);
    getrusage(RUSAGE_SELF, &usage);
    result->stats.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    return broken;
}

void liveness_run(const struct vm_program *program, const struct check_options *options,
                  struct query_set *queries, struct check_result *result)
{
    double start = watch_now(), before = result->stats.seconds;
    unsigned broken;
    bool by_c11 = vm_model(program, &result->machine) == VM_MODEL_C11;
    struct vm_options machine = explorer_machine(&options->machine, queries);
    machine.without_forks = true;
    check_result_fini(result);
    *result = (struct check_result){.machine = machine, .answer = CHECK_BFS, .live = true};
    while ((broken = run_once(program, options, queries, start, result))) {
        check_result_fini(result);
        unsigned dropped = result->broken | vm_drop_assumption(&result->machine, broken);
        *result = (struct check_result){
            .machine = result->machine, .answer = CHECK_BFS, .live = true, .broken = dropped};
    }
    result->machine.tells_threads = false;
    result->states_by_c11 = by_c11;
    result->stats.seconds = before + watch_now() - start;
}
