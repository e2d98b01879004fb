/* cli_replay.c - divm replay: re-execute the error of a trace. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/build/compile.h"
#include "checker/build/framework.h"
#include "checker/build/limits.h"
#include "checker/cli/cli.h"
#include "checker/cli/cli_page.h"
#include "checker/cli/trace.h"
#include "checker/liveness/liveness.h"
#include "checker/query/set.h"
#include "checker/report/cex.h"
#include "checker/report/moments.h"
#include "checker/report/notes.h"
#include "checker/report/report.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"
#include "checker/search/interrupt.h"
#include "vm/vm.h"

static void print_text(const struct cli *cli, const struct trace *trace,
                       const struct check_result *result, const struct cex *cex)
{
    struct report report = cli_report(cli, stdout);
    if (!cli->value[OPT_QUIET].number)
        report_error(&report, cex);
    struct check_options none = {.workers = 1};
    report_verdict(&report, result, &none, cex);
    char *now = report_headline(cex);
    if (strcmp(now, trace->verdict))
        fprintf(stderr, "divm: note: the trace was made for: %s\n", trace->verdict);
    free(now);
}

static void print_json(const struct trace *trace, const struct vm_program *program,
                       const struct check_result *result, const struct cex *cex)
{
    struct check_options none = {.workers = 1};
    json_t *root = report_json(result, &none, cex);
    json_object_set_new(root, "options", trace_options(&trace->program, &trace->machine));
    json_object_set_new(root, "notes", notes_json(&trace->program, program, result));
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

static void write_page(const struct cli *cli, const struct trace *trace,
                       const struct vm_program *program, const struct check_result *result,
                       const struct cex *cex)
{
    if (!cli->value[OPT_OUTPUT_HTML].text)
        return;
    struct check_options none = {.workers = 1};
    json_t *moments =
        moments_record(program, &trace->machine, &trace->path, cex, cli_shows_all(cli));
    cli_page(cli, &(struct cli_page){.options = &trace->program,
                                     .program = program,
                                     .result = result,
                                     .search = &none,
                                     .cex = cex,
                                     .moments = moments,
                                     .trace = cli->program.files.at[0]});
    json_decref(moments);
}

static size_t execute(const struct trace *trace, const struct vm_program *program,
                      bool accesses, struct cex *cex)
{
    cex->accesses = accesses;
    return check_replay(program, &trace->machine, &trace->path, cex_begin, cex_on_event, cex);
}

/* Is an endless run confirmed?  All that comes after the trace is explored, or the run comes
 * round again. */
static bool is_confirmed(const struct trace *trace, const struct vm_program *program,
                         struct query_set *queries, struct cex *cex)
{
    if (!cex_is_endless(cex))
        return true;
    bool good = trace->path.endless.kind
                    ? liveness_confirms(program, &trace->machine, &trace->path, queries)
                    : check_never_ends(program, &trace->machine, &trace->path);
    if (good)
        cex_go_on(cex, program, &trace->machine, &trace->path);
    return good;
}

static bool has_error(const struct trace *trace, size_t good, const struct cex *cex)
{
    return good == trace->path.n && cex->failed;
}

/* Executes the trace by its choices alone, in case that only what is in the states has
 * changed. */
static size_t execute_changed(struct trace *trace, const struct vm_program *program,
                              bool accesses, struct cex *cex)
{
    cex_fini(cex);
    for (size_t i = 0; i < trace->path.n; i++)
        trace->path.steps[i].hash = 0;
    return execute(trace, program, accesses, cex);
}

static int print(const struct cli *cli, const struct trace *trace,
                 const struct vm_program *program, const struct cex *cex)
{
    struct check_result result = {.outcome = CHECK_ERROR, .machine = trace->machine};
    result.stats.depth = trace->path.n - 1;
    if (cli->value[OPT_FORMAT].number == 0)
        print_text(cli, trace, &result, cex);
    else
        print_json(trace, program, &result, cex);
    write_page(cli, trace, program, &result, cex);
    return check_exit_status(cex->kind);
}

static int replay(const struct cli *cli, struct trace *trace, const struct vm_program *program,
                  struct query_set *queries, const char *file)
{
    struct cex cex = {0};
    const char *source = trace->program.files.at[0];
    bool changed = vm_program_hash(program) != trace->hash;
    size_t good = changed ? 0 : execute(trace, program, cli_wants_accesses(cli), &cex);
    int status = CHECK_EXIT_REFUSED;
    if (!has_error(trace, good, &cex) && !check_is_interrupted()) {
        good = execute_changed(trace, program, cli_wants_accesses(cli), &cex);
        changed = true;
    }
    if (has_error(trace, good, &cex) && is_confirmed(trace, program, queries, &cex)) {
        if (changed)
            fprintf(stderr,
                    "divm: note: %s has changed since %s was written; the same choices lead to "
                    "this error\n",
                    source, file);
        status = print(cli, trace, program, &cex);
    } else if (check_is_interrupted()) {
        status = CHECK_EXIT_INTERRUPT;
    } else {
        fprintf(
            stderr,
            "divm: %s does not fit the program: %s has changed since (no error comes of its "
            "choices: they were followed for %zu of %zu transitions)\n",
            file, source, good, trace->path.n);
    }
    cex_fini(&cex);
    return status;
}

int cli_replay(struct cli *cli)
{
    struct trace trace = {0};
    enum framework framework;
    const char *file = cli->program.files.at[0];
    int status = CHECK_EXIT_REFUSED;
    if (cli->program.files.n != 1 || cli->program.arguments.n) {
        fputs("divm: replay takes one trace file\n", stderr);
        return CHECK_EXIT_USAGE;
    }
    char *why = trace_read(file, &trace);
    trace.machine.halt = &check_interrupted;
    trace.program.notes = cli->value[OPT_OUTPUT_HTML].text != NULL;
    struct vm_program *program = NULL;
    struct query_set *queries = NULL;
    if (why)
        fprintf(stderr, "divm: %s\n", why);
    else if (queries_begin(&trace.program, &queries))
        program =
            compile_and_load(&trace.program, cli->value[OPT_VERBOSE].number != 0, &framework);
    bool asks = !program || queries_resolve(queries, program);
    if (asks)
        query_set_options(queries, &trace.machine);
    if (program && asks)
        status = replay(cli, &trace, program, queries, file);
    else if (!why && !program)
        status = cli_unloaded();
    if (build_limits.end != APART_DONE)
        cli_leave(cli_exit(cli, status));
    if (program)
        vm_unload(program);
    query_set_free(queries);
    trace_fini(&trace);
    free(why);
    return status;
}
