/* cli_probability.c - divm probability: the probability that a random run meets a query. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checker/build/compile.h"
#include "checker/build/framework.h"
#include "checker/build/limits.h"
#include "checker/cli/cli.h"
#include "checker/cli/progress.h"
#include "checker/cli/verification.h"
#include "checker/memory.h"
#include "checker/query/set.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"
#include "checker/search/interrupt.h"
#include "checker/search/processors.h"
#include "checker/search/usage.h"
#include "checker/simulate/probability.h"

/* An estimate; left where it is if there is no memory to go on. */
struct estimating {
    const struct vm_program *program;
    struct check_options options;
    struct probability_options asked;
    struct progress progress;
    struct probability result;
};

/* Sets options: each visible action is a step (docs/PROBABILITY.md), so some reductions are
 * off. */
static void set_up(struct cli *cli)
{
    struct check_options *limits = &build_limits.options;
    limits->max_seconds = cli->value[OPT_MAX_TIME].number;
    limits->deadline = limits->max_seconds > 0 ? watch_now() + limits->max_seconds : 0;
    limits->max_bytes = (uint64_t)cli->value[OPT_MAX_MEMORY].number;
    cli->reduction[RED_EAGER] = cli->reduction[RED_JOINS] = cli->reduction[RED_CONDITIONAL] =
        cli->reduction[RED_READ_ONLY] = cli->reduction[RED_THREAD_SYMMETRY] = false;
    cli_program_options(cli);
}

static bool is_wrong(const struct cli *cli)
{
    const struct cli_value *value = cli->value;
    double theta = value[OPT_AT_LEAST].number, delta = value[OPT_DELTA].number;
    const char *wrong = NULL;
    if (cli->program.queries.n != 1)
        wrong = "probability takes one query: --of=EXPR";
    else if (value[OPT_AT_LEAST].given && (theta - delta <= 0 || theta + delta >= 1))
        wrong = "--at-least, --delta: their sum and their difference must lie between 0 and 1";
    else if (value[OPT_AT_LEAST].given && value[OPT_RUNS].given)
        wrong = "--at-least: goes without --runs";
    if (wrong)
        fprintf(stderr, "divm: %s\n", wrong);
    return wrong;
}

/* Returns the weights; the functions' names are those of the list. */
static struct probability_weight *weights_of(const struct strings *list, struct strings *names)
{
    struct probability_weight *weights = check_zeros(list->n + 1, sizeof *weights);
    for (size_t i = 0; i < list->n; i++) {
        const char *colon = strrchr(list->at[i], ':');
        char *name = check_strndup(list->at[i], (size_t)(colon - list->at[i]));
        strings_add(names, name);
        free(name);
        weights[i].weight = strtod(colon + 1, NULL);
    }
    for (size_t i = 0; i < list->n; i++)
        weights[i].function = names->at[i];
    return weights;
}

static void estimate(void *context)
{
    struct estimating *estimating = context;
    probability_run(estimating->program, &estimating->options, &estimating->asked,
                    &estimating->result);
}

static void fill(const struct cli *cli, struct estimating *estimating)
{
    const struct cli_value *value = cli->value;
    unsigned workers = (unsigned)value[OPT_WORKERS].number;
    estimating->options = (struct check_options){
        .workers = workers ? workers : processors_count(),
        .machine = cli_machine(cli),
        .sampling = {.name = "by weight", .seed = (uint64_t)value[OPT_SEED].number},
        .max_seconds = build_limits.options.max_seconds,
        .deadline = build_limits.options.deadline,
        .max_bytes = build_limits.options.max_bytes,
        .max_depth = (uint64_t)value[OPT_MAX_DEPTH].number,
        .interrupted = &check_interrupted,
        .watch = progress_watch,
        .watch_context = &estimating->progress,
    };
    estimating->asked = (struct probability_options){
        .runs = value[OPT_RUNS].given ? (uint64_t)value[OPT_RUNS].number : 0,
        .alpha = value[OPT_ALPHA].number,
        .epsilon = value[OPT_EPSILON].number,
        .decides = value[OPT_AT_LEAST].given,
        .theta = value[OPT_AT_LEAST].number,
        .delta = value[OPT_DELTA].number,
        .beta = value[OPT_BETA].number,
        .nweights = cli->weights.n,
    };
}

/* ---- text ------------------------------------------------------------------------ */

static double share(const struct probability *r)
{
    return r->runs ? (double)r->satisfied / (double)r->runs : 0;
}

static void print_bars(const struct probability *r)
{
    enum { WIDE = 40 };
    uint64_t most = 1;
    for (int k = 0; k < PROBABILITY_BARS; k++)
        most = r->bars[k] > most ? r->bars[k] : most;
    if (r->satisfied)
        puts("Lengths of the runs that come to such a state, in steps:\n");
    for (uint64_t k = 0; r->satisfied && k < PROBABILITY_BARS; k++) {
        uint64_t from = r->from + k * r->width, to = from + r->width - 1;
        int length = (int)(r->bars[k] * WIDE / most);
        if (r->bars[k])
            printf("  %6" PRIu64 " .. %-6" PRIu64 " %8" PRIu64 " %.*s\n", from, to, r->bars[k],
                   length, "########################################");
    }
    if (r->satisfied)
        putchar('\n');
}

static void print_notes(const struct probability *r)
{
    if (r->errors)
        fprintf(stderr,
                "divm: note: %" PRIu64 " runs ended with an error of the program (%s): divm "
                "simulate shows it\n",
                r->errors, vm_fault_text(r->first_error));
    if (r->cut)
        fprintf(stderr, "divm: note: %" PRIu64 " runs were not followed to their ends\n",
                r->cut);
    if (r->dropped)
        fprintf(stderr,
                "divm: note: %" PRIu64 " runs were dropped by an assumption, and others "
                "made in their places\n",
                r->dropped);
}

/* Writes a bound of an interval with four digits, rounded away from what lies in it. */
static void bound_text(char *text, size_t size, double bound, bool is_upper)
{
    double scale = bound > 0 ? pow(10, 3 - floor(log10(bound))) : 1;
    double digits = is_upper ? ceil(bound * scale) : floor(bound * scale);
    snprintf(text, size, "%.4g", digits / scale);
}

static void print_interval(const struct cli *cli, const struct estimating *e)
{
    const struct probability *r = &e->result;
    char low[32], high[32];
    bound_text(low, sizeof low, r->interval.low, false);
    bound_text(high, sizeof high, r->interval.high, true);
    printf("divm: the probability of %s is %.4g: between %s and %s with %g %%: %" PRIu64
           " of %" PRIu64 " runs (seed %" PRIu64 ")\n",
           query_set_text(cli->queries, 0), share(r), low, high, 100 * (1 - e->asked.alpha),
           r->satisfied, r->runs, e->options.sampling.seed);
}

static void print_last(const struct cli *cli, const struct estimating *e)
{
    const struct probability *r = &e->result;
    const char *query = query_set_text(cli->queries, 0);
    uint64_t seed = e->options.sampling.seed;
    if (r->outcome != CHECK_OK)
        printf("divm: incomplete: %s: %" PRIu64 " of %" PRIu64 " runs come to %s (seed %" PRIu64
               ")\n",
               r->outcome == CHECK_INTERRUPTED  ? "interrupted"
               : r->limit == CHECK_LIMIT_TIME   ? "time limit"
               : r->limit == CHECK_LIMIT_MEMORY ? "memory limit"
                                                : "run limit",
               r->satisfied, r->runs, query, seed);
    else if (e->asked.decides)
        printf("divm: the probability of %s is %g at %s: %" PRIu64 " of %" PRIu64
               " runs (seed %" PRIu64 ")\n",
               query, e->asked.theta, r->decided == DECIDED_YES ? "least" : "most",
               r->satisfied, r->runs, seed);
    else
        print_interval(cli, e);
}

/* ---- JSON ------------------------------------------------------------------------ */

static json_t *number_json(uint64_t n)
{
    return json_integer((json_int_t)n);
}

static json_t *bound_json(const struct probability *r, double bound)
{
    return r->has_interval ? json_real(bound) : json_null();
}

static json_t *bars_json(const struct probability *r)
{
    json_t *list = json_array();
    for (uint64_t k = 0; k < PROBABILITY_BARS; k++) {
        uint64_t from = r->from + k * r->width;
        if (r->bars[k])
            json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "from", number_json(from),
                                                  "to", number_json(from + r->width - 1),
                                                  "runs", number_json(r->bars[k])));
    }
    return list;
}

static void print_json(const struct cli *cli, const struct estimating *e)
{
    const struct probability *r = &e->result;
    json_t *root = json_pack(
        "{s:i, s:s, s:s, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:o, s:f, s:o}", "format",
        1, "version", CHECK_VERSION, "query", query_set_text(cli->queries, 0), "complete",
        r->outcome == CHECK_OK, "seed", (json_int_t)e->options.sampling.seed, "runs",
        (json_int_t)r->runs, "satisfied", (json_int_t)r->satisfied, "errors",
        (json_int_t)r->errors, "cut", (json_int_t)r->cut, "steps", (json_int_t)r->steps,
        "probability", share(r), "low", bound_json(r, r->interval.low), "high",
        bound_json(r, r->interval.high), "alpha", e->asked.alpha, "lengths", bars_json(r));
    if (e->asked.decides)
        json_object_set_new(root, "decision",
                            json_pack("{s:f, s:f, s:f, s:o}", "theta", e->asked.theta, "delta",
                                      e->asked.delta, "beta", e->asked.beta, "at_least",
                                      r->decided == DECIDED_NOT_YET
                                          ? json_null()
                                          : json_boolean(r->decided == DECIDED_YES)));
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(root);
}

/* ---- all of it ------------------------------------------------------------------- */

static int status_of(const struct estimating *e)
{
    if (e->result.outcome != CHECK_OK)
        return e->result.outcome == CHECK_INTERRUPTED ? CHECK_EXIT_INTERRUPT
                                                      : CHECK_EXIT_INCOMPLETE;
    return e->asked.decides && e->result.decided == DECIDED_NO ? CHECK_EXIT_ASSERT
                                                               : CHECK_EXIT_OK;
}

struct known {
    const char *name;
    bool found;
};

static void see_function(void *context, const struct vm_known *known)
{
    struct known *wanted = context;
    wanted->found |= !strcmp(known->name, wanted->name);
}

static bool are_functions(const struct strings *names, const struct vm_program *program)
{
    for (size_t i = 0; i < names->n; i++) {
        struct known wanted = {.name = names->at[i]};
        vm_list_functions(program, see_function, &wanted);
        if (wanted.found)
            continue;
        fprintf(stderr, "divm: --weight: there is no function %s\n", names->at[i]);
        return false;
    }
    return true;
}

int cli_probability_of(struct cli *cli, const struct vm_program *program)
{
    struct estimating *e = check_zeros(1, sizeof *e);
    struct strings names = {0};
    struct probability_weight *weights = weights_of(&cli->weights, &names);
    bool quiet = cli->value[OPT_QUIET].number != 0;
    if (!are_functions(&names, program)) {
        free(weights);
        strings_fini(&names);
        free(e);
        return CHECK_EXIT_USAGE;
    }
    fill(cli, e);
    e->program = program;
    e->asked.weights = weights;
    progress_init(&e->progress, (int)cli->value[OPT_PROGRESS].number);
    build_limits.end = apart_run(estimate, e, &e->options);
    progress_end(&e->progress);
    if (build_limits.end != APART_DONE)
        return CHECK_EXIT_INCOMPLETE; /* whoever estimates may still look at all this */
    if (!quiet)
        print_notes(&e->result);
    if (!quiet)
        queries_print(cli->queries);
    if (cli->value[OPT_FORMAT].number != 0) {
        print_json(cli, e);
    } else {
        if (!quiet)
            print_bars(&e->result);
        print_last(cli, e);
    }
    int status = status_of(e);
    free(weights);
    strings_fini(&names);
    free(e);
    return status;
}

struct vm_program *cli_probability_load(struct cli *cli, int *status)
{
    enum framework framework;
    *status = CHECK_EXIT_USAGE;
    if (is_wrong(cli) || !queries_begin(&cli->program, &cli->queries))
        return NULL;
    set_up(cli);
    if (!cli->value[OPT_QUIET].number)
        file_options_print(&cli->file_options);
    struct vm_program *program =
        compile_and_load(&cli->program, cli->value[OPT_VERBOSE].number != 0, &framework);
    if (program && queries_resolve(cli->queries, program))
        return program;
    if (program)
        vm_unload(program);
    else
        *status = cli_unloaded();
    return NULL;
}

int cli_probability(struct cli *cli)
{
    int status;
    struct vm_program *program = cli_probability_load(cli, &status);
    if (program)
        status = cli_probability_of(cli, program);
    if (build_limits.end != APART_DONE) {
        char *why = build_limits.end == APART_CRASHED ? NULL : verify_why_unloaded(cli);
        if (why)
            printf("divm: incomplete: %s\n", why);
        free(why);
        cli_leave(cli_exit(cli, status));
    }
    if (program)
        vm_unload(program);
    query_set_free(cli->queries);
    return status;
}
