/* verification.c - see verification.h. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/build/limits.h"
#include "checker/cli/cli.h"
#include "checker/cli/cli_page.h"
#include "checker/cli/outputs.h"
#include "checker/cli/progress.h"
#include "checker/cli/trace.h"
#include "checker/cli/verification.h"
#include "checker/liveness/liveness.h"
#include "checker/memory.h"
#include "checker/query/set.h"
#include "checker/report/cex.h"
#include "checker/report/moments.h"
#include "checker/report/notes.h"
#include "checker/report/report.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"
#include "checker/search/guard.h"
#include "checker/search/interrupt.h"
#include "checker/search/processors.h"
#include "checker/search/spill.h"
#include "checker/search/usage.h"
#include "checker/simulate/simulate.h"
#include "vm/vm.h"

static const char *const schedulers[] = {
#define SCHEDULER(id, name, text) name,
#include "checker/simulate/schedulers.def"
};

static struct check_sampling sampling(const struct cli *cli)
{
    enum { RUNS = 10000 };
    const struct cli_value *value = cli->value;
    if (cli->command->bit != SIMULATE)
        return (struct check_sampling){0};
    unsigned scheduler = (unsigned)value[OPT_SCHEDULER].number;
    uint64_t runs = (uint64_t)value[OPT_RUNS].number;
    return (struct check_sampling){
        .name = schedulers[scheduler],
        .scheduler = scheduler,
        .runs = runs || value[OPT_MAX_TIME].number > 0 ? runs : RUNS,
        .seed = (uint64_t)value[OPT_SEED].number,
        .pct_depth = (unsigned)value[OPT_PCT_DEPTH].number,
    };
}

static struct check_options search_options(const struct cli *cli)
{
    const struct cli_value *value = cli->value;
    struct check_options options = {
        .again = cli->again,
        .search = (enum check_search)value[OPT_SEARCH].number,
        .workers = (unsigned)value[OPT_WORKERS].number,
        .machine = cli_machine(cli),
        .sampling = sampling(cli),
        .bounded = value[OPT_PREEMPTIONS].given,
        .max_preemptions = (uint64_t)value[OPT_PREEMPTIONS].number,
        .spill = cli->spill,
        .saving = cli->saving,
        .probes = value[OPT_FORMAT].number || !value[OPT_QUIET].number,
        .exact = value[OPT_STORE].number,
        .allow_endless = value[OPT_ENDLESS].number != 0,
        .endless_last = value[OPT_REACH].given && !value[OPT_CONTINUE].number,
        .all_errors = value[OPT_CONTINUE].number != 0,
        .max_seconds = build_limits.options.max_seconds,
        .max_bytes = build_limits.options.max_bytes,
        .max_states = (uint64_t)value[OPT_MAX_STATES].number,
        .max_depth = (uint64_t)value[OPT_MAX_DEPTH].number,
        .interrupted = &check_interrupted,
        .watch = progress_watch,
    };
    options.machine.covered = cli->covered;
    options.encounters = cli->encounters;
    if (!options.workers)
        options.workers = processors_count();
    bool by_states =
        !cli->reduction[RED_EAGER] /* executions need it */ || cli->queries || cli->encounters;
    bool executions = options.search == CHECK_DPOR || options.search == CHECK_AUTO;
    if (options.search == CHECK_AUTO && by_states)
        options.search = CHECK_BFS;
    if (executions && options.machine.store_buffers)
        options.search = CHECK_BFS; /* executions do not know what is in buffers */
    if (options.search == CHECK_DFS || options.search == CHECK_DPOR || options.bounded)
        options.workers = 1;
    return options;
}

/* Returns the name of a trace's file, malloc'ed; NULL if no trace is wanted.  The name of a
 * test case's trace contains the case, and that of one of several errors its number, if that is
 * not 0: FILE.CASE.NUMBER.trace. */
static char *trace_name(const struct cli *cli, const char *test, size_t number)
{
    const struct cli_value *value = &cli->value[OPT_TRACE_FILE];
    const char *first = cli->program.files.at[0];
    char *name, count[32] = "";
    if (value->number == 0)
        return NULL;
    if (number)
        snprintf(count, sizeof count, ".%zu", number);
    const char *base = value->text ? value->text : check_basename(first);
    if (!strcmp(base, "-"))
        base = "stdin";
    int n = asprintf(&name, "%s%s%s%s%s", base, test ? "." : "", test ? test : "", count,
                     value->text && !test ? "" : ".trace");
    for (char *at = n < 0 ? NULL : name + strlen(base); at && *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
            *at = '_';
    return n < 0 ? NULL : name;
}

/* Saves a trace; takes the name of the file, which may be NULL.  Returns NULL if there is
 * none. */
static char *save_trace(struct cli *cli, const struct vm_program *program,
                        const struct check_result *result, const struct check_path *path,
                        const struct cex *cex, char *file)
{
    const struct cex_place *place = cex_user_place(&cex->stack);
    char location[512] = "";
    if (!file)
        return NULL;
    if (place)
        snprintf(location, sizeof location, "%s:%u", place->file, place->line);
    struct trace trace = {
        .program = cli->program,
        .machine = result->machine,
        .hash = vm_program_hash(program),
        .path = *path,
        .verdict = report_headline(cex),
        .kind = cex->kind,
        .location = location,
    };
    char *why = trace_write(file, &trace);
    if (why)
        fprintf(stderr, "divm: %s\n", why);
    free(trace.verdict);
    if (why) {
        free(why);
        free(file);
        return NULL;
    }
    return file;
}

/* Saves the traces of all errors. */
static void save_traces(struct cli *cli, const struct vm_program *program, const char *test,
                        struct verification *v)
{
    const struct check_result *result = &v->result;
    size_t number = v->options.all_errors ? 1 : 0;
    v->trace =
        save_trace(cli, program, result, &result->path, &v->cex, trace_name(cli, test, number));
    for (size_t i = 0; i < result->nmore; i++)
        v->more[i].trace = save_trace(cli, program, result, &result->more[i], &v->more[i].cex,
                                      trace_name(cli, test, i + 2));
}

/* Notes a trace of an error that the same files and options had before: it stays. */
static void find_old_trace(const struct cli *cli, const char *test)
{
    char *file = trace_name(cli, test, 0);
    struct trace trace = {0};
    char *why = file && access(file, F_OK) == 0 ? trace_read(file, &trace) : NULL;
    if (trace.verdict && !why && cli_program_is_same(&trace.program, &cli->program) &&
        !cli->value[OPT_QUIET].number)
        fprintf(stderr, "divm: note: %s is of an earlier run, with an error: %s\n", file,
                trace.verdict);
    trace_fini(&trace);
    free(file);
    free(why);
}

static int exit_status(const struct check_result *result, const struct cex *cex)
{
    switch (result->outcome) {
    case CHECK_OK: return CHECK_EXIT_OK;
    case CHECK_ERROR: return check_exit_status(cex->kind);
    case CHECK_INCOMPLETE: return CHECK_EXIT_INCOMPLETE;
    case CHECK_INTERRUPTED: return CHECK_EXIT_INTERRUPT;
    case CHECK_UNSUITED: return CHECK_EXIT_INCOMPLETE;
    case CHECK_BROKEN: return CHECK_EXIT_INTERNAL;
    }
    return CHECK_EXIT_INTERNAL;
}

/* A search; left where it is if there is no memory to go on. */
struct searching {
    const struct vm_program *program;
    struct check_options options;
    struct query_set *queries; /* or NULL */
    struct progress progress;
    struct check_result result;
    struct cex cex;
    struct verified *more;
    bool wants_moments, all; /* of all steps */
    json_t *moments;         /* of the first error */
    bool accesses;           /* are told */
};

/* Makes a counterexample of an error; false if it was not met again, which the result says. */
static bool make_cex(const struct searching *searching, const struct check_path *path,
                     struct check_result *result, struct cex *cex)
{
    struct vm_options machine = searching->result.machine;
    struct guard guard;
    cex->accesses = searching->accesses;
    guard_begin(&guard, &searching->options, guard_last_deadline(&searching->options));
    machine.halt = &guard.halt;
    size_t good =
        check_replay(searching->program, &machine, path, cex_begin, cex_on_event, cex);
    cex_go_on(cex, searching->program, &machine, path);
    guard_end(&guard);
    if (good == path->n && cex->failed)
        return true;
    result->outcome = CHECK_BROKEN;
    check_out_of_time(&guard, result);
    return false;
}

/* Was the error told already? */
static bool is_known(const struct searching *searching, size_t n, const struct cex *cex)
{
    bool known = cex_is_same_error(&searching->cex, cex);
    for (size_t i = 0; i < n; i++)
        known = known || cex_is_same_error(&searching->more[i].cex, cex);
    return known;
}

/* Makes the counterexamples of all errors. */
static void make_cexes(struct searching *searching)
{
    struct check_result *result = &searching->result, one = {0};
    size_t n = 0;
    searching->more = check_zeros(result->nmore, sizeof *searching->more);
    if (!make_cex(searching, &result->path, result, &searching->cex))
        return;
    for (size_t i = 0; i < result->nmore; i++) {
        struct cex *cex = &searching->more[n].cex;
        struct check_path path = result->more[i];
        bool good = make_cex(searching, &path, &one, cex);
        bool again = !good || is_known(searching, n, cex);
        result->cut = result->cut || !good;
        result->more[i] = result->more[n];
        result->more[n] = path;
        if (again)
            cex_fini(cex);
        n += !again;
    }
    while (result->nmore > n)
        check_path_fini(&result->more[--result->nmore]);
}

/* Records the moments of the first error: not needed, so it may take no longer than the search
 * was given. */
static void record_moments(struct searching *searching)
{
    struct vm_options machine = searching->result.machine;
    struct guard guard;
    guard_begin(&guard, &searching->options, guard_last_deadline(&searching->options));
    machine.halt = &guard.halt;
    searching->moments = moments_record(searching->program, &machine, &searching->result.path,
                                        &searching->cex, searching->all);
    guard_end(&guard);
}

/* Searches states, and if there is no error, infinite runs. */
static void search_states(struct searching *searching)
{
    struct check_options *options = &searching->options;
    if (options->max_seconds > 0 && !options->deadline)
        options->deadline = watch_now() + options->max_seconds;
    check_run(searching->program, options, &searching->result);
    if (searching->result.outcome == CHECK_OK && query_set_is_live(searching->queries))
        liveness_run(searching->program, options, searching->queries, &searching->result);
}

static void search(void *context)
{
    struct searching *searching = context;
    if (searching->options.sampling.name)
        simulate_run(searching->program, &searching->options, &searching->result);
    else
        search_states(searching);
    if (searching->result.outcome == CHECK_ERROR)
        make_cexes(searching);
    if (searching->result.outcome == CHECK_ERROR && searching->wants_moments)
        record_moments(searching);
}

/* Returns the result of a search that was cut short: nothing is known but why, and the last
 * counts. */
static struct check_result cut_short(const struct check_options *options, enum apart_end end,
                                     const struct progress *progress)
{
    struct check_result result = {.machine = options->machine};
    const struct check_sampling *sampling = &options->sampling;
    result.sampled =
        (struct check_sampled){.scheduler = sampling->name, .seed = sampling->seed};
    if (progress)
        progress_result(progress, &result);
    result.outcome = end == APART_INTERRUPTED ? CHECK_INTERRUPTED : CHECK_INCOMPLETE;
    result.limit = end == APART_MEMORY ? spill_memory_limit(options->spill) : apart_limit(end);
    return result;
}

static void search_apart(const struct cli *cli, const struct vm_program *program,
                         struct verification *v)
{
    struct searching *searching = calloc(1, sizeof *searching);
    double start = watch_now();
    build_limits.end = APART_EXHAUSTED;
    if (!searching) {
        v->result = cut_short(&v->options, APART_EXHAUSTED, NULL);
        return;
    }
    progress_init(&searching->progress, (int)cli->value[OPT_PROGRESS].number);
    v->options.watch_context = &searching->progress;
    searching->program = program;
    searching->options = v->options;
    searching->queries = cli->queries;
    searching->wants_moments = cli->value[OPT_OUTPUT_HTML].text != NULL;
    searching->all = cli_shows_all(cli);
    searching->accesses = cli_wants_accesses(cli);
    build_limits.end = apart_run(search, searching, &v->options);
    progress_end(&searching->progress);
    if (build_limits.end == APART_DONE) {
        v->result = searching->result;
        v->cex = searching->cex;
        v->more = searching->more;
        v->moments = searching->moments;
        free(searching);
    } else {
        v->result = cut_short(&v->options, build_limits.end, &searching->progress);
        v->result.stats.seconds = watch_now() - start;
    }
}

/* Puts the first of the other errors in the first one's place. */
static void drop_first(struct verification *v)
{
    struct check_result *result = &v->result;
    cex_fini(&v->cex);
    check_path_fini(&result->path);
    v->cex = v->more[0].cex;
    result->path = result->more[0];
    result->nmore--;
    memmove(v->more, v->more + 1, result->nmore * sizeof *v->more);
    memmove(result->more, result->more + 1, result->nmore * sizeof *result->more);
}

/* Prints a limit of the machine, which is an error for a search, and none of the program.  (It
 * is told as the first one: all have the same kind and place.) */
static void print_limit(struct verification *v)
{
    if (v->result.outcome != CHECK_ERROR || v->cex.kind != VM_FAULT_LIMIT)
        return;
    v->limit = report_headline(&v->cex);
    if (v->result.nmore) {
        drop_first(v);
        v->result.cut = true;
        v->result.limit = CHECK_LIMIT_MACHINE;
        v->result.why = v->limit;
        return;
    }
    v->result.outcome = CHECK_INCOMPLETE;
    v->result.limit = CHECK_LIMIT_MACHINE;
    v->result.why = v->limit;
}

void verify_again(struct cli *cli, const struct vm_program *program, struct verification *v)
{
    search_apart(cli, program, v);
    print_limit(v);
}

/* Returns the words for another search of this case alone. */
static char *again_for_case(const struct cli *cli, const char *name)
{
    char *words = NULL, *filter = check_format("--filter=%s", name);
    again_add(&words, filter);
    char *all = check_format("%s%s", words, cli->again ? cli->again : "");
    free(filter);
    free(words);
    return all;
}

void verify_search(struct cli *cli, struct vm_program *program, const char *name,
                   struct verification *v)
{
    *v = (struct verification){.options = search_options(cli)};
    struct check_result *result = &v->result;
    if (!name)
        v->options.deadline = build_limits.options.deadline;
    else
        v->options.again = v->again = again_for_case(cli, name);
    if (build_limits.end == APART_DONE)
        search_apart(cli, program, v);
    else
        *result = cut_short(&v->options, build_limits.end, NULL);
    print_limit(v);
    result->unreached = v->unreached = query_set_unreached(cli->queries);
    result->weak = vm_program_weak(program);
    result->model = vm_model(program, &result->machine);
    result->strong_exchanges = vm_program_has_weak_exchanges(program) &&
                               !result->machine.spurious_failures &&
                               result->model != VM_MODEL_TSO; /* x86's do not */
    result->large_atomics =
        vm_program_has_large_atomics(program) && result->model == VM_MODEL_C11;
    if (result->outcome == CHECK_ERROR)
        save_traces(cli, program, name, v);
    else if (result->outcome == CHECK_OK)
        find_old_trace(cli, name);
    v->status = exit_status(result, &v->cex);
    orders_try(cli, program, v);
}

void verify_fini(struct verification *v)
{
    free(v->trace);
    free(v->limit);
    free(v->unreached);
    json_decref(v->moments);
    cex_fini(&v->cex);
    for (size_t i = 0; v->more && i < v->result.nmore; i++) {
        free(v->more[i].trace);
        cex_fini(&v->more[i].cex);
    }
    free(v->more);
    free(v->again);
    check_result_fini(&v->result);
    orders_fini(&v->orders);
}

size_t verify_errors(const struct verification *v)
{
    return v->result.outcome == CHECK_ERROR ? 1 + v->result.nmore : 0;
}

const struct cex *verify_cex(const struct verification *v, size_t i)
{
    return i ? &v->more[i - 1].cex : &v->cex;
}

static const char *trace_of(const struct verification *v, size_t i)
{
    return i ? v->more[i - 1].trace : v->trace;
}

static char *hint_for(const struct cli *cli, const struct verification *v)
{
    return v->result.outcome == CHECK_ERROR ? hint_of(cli, &v->cex) : NULL;
}

bool verify_page(const struct cli *cli, const struct vm_program *program, const char *test,
                 const struct verification *v)
{
    bool error = v->result.outcome == CHECK_ERROR || v->limit;
    char *orders = orders_text(&v->orders);
    bool good = cli_page(cli, &(struct cli_page){.test = test,
                                                 .options = &cli->program,
                                                 .program = program,
                                                 .result = &v->result,
                                                 .search = &v->options,
                                                 .cex = error ? &v->cex : NULL,
                                                 .moments = v->moments,
                                                 .trace = v->trace,
                                                 .orders = orders});
    free(orders);
    return good;
}

static void print_replay(const char *trace)
{
    fputs("replay with: divm replay ", stdout);
    again_print(stdout, trace);
    putchar('\n');
}

void verify_print(const struct cli *cli, const struct verification *v)
{
    struct report report = cli_report(cli, stdout);
    char *hint = hint_for(cli, v);
    size_t n = verify_errors(v);
    if (v->limit && !n)
        report_error(&report, &v->cex);
    for (size_t i = 0; i < n; i++) {
        if (n > 1)
            printf("%zu of %zu: ", i + 1, n);
        report_error(&report, verify_cex(v, i));
        if (n > 1 && trace_of(v, i)) {
            print_replay(trace_of(v, i));
            putchar('\n');
        }
    }
    if (hint)
        printf("hint: %s\n", hint);
    free(hint);
    orders_print(stdout, &v->orders);
    report_left(stdout, &v->result, &v->options);
    if (cli->value[OPT_STATS].number)
        report_stats(stdout, &v->result.stats);
    if (n < 2 && v->trace)
        print_replay(v->trace);
}

static const char *const search_names[] = {
    [CHECK_AUTO] = "auto",
    [CHECK_BFS] = "bfs",
    [CHECK_DFS] = "dfs",
    [CHECK_DPOR] = "dpor",
};

static json_t *errors_json(const struct verification *v)
{
    json_t *list = json_array();
    for (size_t i = 0; i < verify_errors(v); i++) {
        json_t *error = report_error_json(verify_cex(v, i));
        if (trace_of(v, i))
            json_object_set_new(error, "trace_file", json_string(trace_of(v, i)));
        json_array_append_new(list, error);
    }
    return list;
}

json_t *verify_json(const struct cli *cli, const struct vm_program *program,
                    const struct verification *v)
{
    json_t *root = report_json(&v->result, &v->options, &v->cex);
    json_t *all = trace_options(&cli->program, &v->result.machine);
    const struct check_sampling *sampling = &v->options.sampling;
    if (sampling->name) {
        json_object_set_new(all, "scheduler", json_string(sampling->name));
        json_object_set_new(all, "pct_depth", json_integer((json_int_t)sampling->pct_depth));
    } else {
        json_object_set_new(all, "search", json_string(search_names[v->options.search]));
        json_object_set_new(all, "store", json_string(v->options.exact ? "exact" : "compact"));
    }
    json_object_set_new(root, "options", all);
    json_object_set_new(root, "file_options", file_options_json(&cli->file_options));
    if (query_set_count(cli->queries))
        json_object_set_new(root, "queries", queries_json(cli->queries, &v->result, &v->cex));
    json_object_set_new(root, "notes", notes_json(&cli->program, program, &v->result));
    char *hint = hint_for(cli, v);
    if (hint)
        json_object_set_new(root, "hint", json_string(hint));
    free(hint);
    if (v->trace)
        json_object_set_new(root, "trace_file", json_string(v->trace));
    if (v->options.all_errors)
        json_object_set_new(root, "errors", errors_json(v));
    json_t *orders = orders_json(&v->orders);
    if (orders)
        json_object_set_new(root, "orders", orders);
    return root;
}

static void print_executions(const struct verification *v)
{
    double mistaken = check_mistaken(&v->result, &v->options);
    printf("Looked at by executions (dynamic partial-order reduction): %" PRIu64 ".\n",
           v->result.stats.executions);
    if (mistaken > 0)
        printf(
            "Reads of threads that try again are compared by 64-bit hashes: an execution was "
            "left out with a\nprobability of %.1g at most.\n",
            mistaken);
}

static void print_text(const struct cli *cli, const struct vm_program *program,
                       const struct verification *v)
{
    struct report report = cli_report(cli, stdout);
    char *orders = orders_verdict(&v->orders);
    if (!cli->value[OPT_QUIET].number) {
        if (v->result.outcome == CHECK_OK && v->result.answer == CHECK_DPOR)
            print_executions(v);
        else if (v->result.outcome == CHECK_OK && v->options.exact)
            puts("States are kept as they are: none was taken for another.");
        else if (v->result.outcome == CHECK_OK)
            printf("States are kept as 64-bit fingerprints: one was missed with a probability "
                   "of %.1g at most.\n",
                   check_omission(&v->result.stats));
        verify_print(cli, v);
        if (v->result.outcome != CHECK_ERROR)
            cli_coverage_print(cli, program);
    }
    report.addition = orders;
    report_verdict(&report, &v->result, &v->options, &v->cex);
    free(orders);
}

/* Prints the result in all forms that were asked for; program: NULL if it was not loaded. */
static int print_whole(struct cli *cli, const struct vm_program *program,
                       const struct verification *v)
{
    struct outputs outputs;
    json_t *notes = notes_json(&cli->program, program, &v->result);
    if (cli->value[OPT_FORMAT].number == 0) {
        print_text(cli, program, v);
    } else {
        json_t *root = verify_json(cli, program, v);
        cli_coverage_json(cli, program, root);
        json_dumpf(root, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(root);
    }
    outputs_open(&outputs, cli);
    outputs_add(&outputs, NULL, v);
    int status = outputs_close(&outputs, notes, v->status);
    if (!verify_page(cli, program, NULL, v) && status == CHECK_EXIT_OK)
        status = CHECK_EXIT_REFUSED;
    json_decref(notes);
    return status;
}

int verify_whole(struct cli *cli, struct vm_program *program)
{
    struct verification v;
    verify_search(cli, program, NULL, &v);
    if (!cli->value[OPT_QUIET].number)
        notes_print(&cli->program, program, &v.result);
    if (!cli->value[OPT_QUIET].number)
        queries_print(cli->queries);
    int status = print_whole(cli, program, &v);
    verify_fini(&v);
    return status;
}

char *verify_why_unloaded(const struct cli *cli)
{
    struct check_options options = search_options(cli);
    struct check_result result = cut_short(&options, build_limits.end, NULL);
    return report_incomplete(&result, &options);
}

int verify_unloaded(struct cli *cli)
{
    int status = cli_unloaded();
    if (status == CHECK_EXIT_REFUSED)
        return status;
    struct verification v = {.options = search_options(cli), .status = status};
    bool limit = status == CHECK_EXIT_INCOMPLETE;
    v.result = cut_short(&v.options, limit ? build_limits.end : APART_INTERRUPTED, NULL);
    return print_whole(cli, NULL, &v);
}
