/* cli_verify.c - divm verify: explore everything. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* Memory that a search may take if it is not told: the machine must live on. */
static uint64_t default_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 10 * 9 : 0;
}

static struct check_options search_options(const struct cli *cli)
{
    const struct cli_value *value = cli->value;
    struct check_options options = {
        .search = value[OPT_SEARCH].number == 0 ? CHECK_BFS : CHECK_DFS,
        .workers = (unsigned)value[OPT_WORKERS].number,
        .machine = cli_machine(cli),
        .max_seconds = value[OPT_MAX_TIME].number,
        .max_bytes = (uint64_t)value[OPT_MAX_MEMORY].number,
        .max_states = (uint64_t)value[OPT_MAX_STATES].number,
        .max_depth = (uint64_t)value[OPT_MAX_DEPTH].number,
        .interrupted = &cli_interrupted,
        .watch = progress_watch,
    };
    if (!options.max_bytes)
        options.max_bytes = default_memory();
    if (!options.workers)
        options.workers = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    if (options.search == CHECK_DFS)
        options.workers = 1;
    return options;
}

/* NULL if no trace is wanted; malloc'ed. */
static char *trace_name(const struct cli *cli)
{
    const struct cli_value *value = &cli->value[OPT_TRACE_FILE];
    if (value->number == 0)
        return NULL;
    if (value->text)
        return strdup(value->text);
    const char *first = cli->program.files.at[0];
    char *name;
    return asprintf(&name, "%s.trace", strcmp(first, "-") ? report_basename(first) : "stdin") <
                   0
               ? NULL
               : name;
}

/* Returns whether there is a trace now. */
static bool save_trace(struct cli *cli, const struct vm_program *program,
                       const struct check_result *result, const struct story *story,
                       const char *file)
{
    const struct story_place *place = story_user_place(&story->stack);
    char location[512] = "";
    if (place)
        snprintf(location, sizeof location, "%s:%u", place->file, place->line);
    struct trace trace = {
        .program = cli->program,
        .machine = result->machine,
        .hash = vm_program_hash(program),
        .path = result->path,
        .verdict = report_headline(story),
        .kind = story->kind,
        .location = location,
    };
    char *why = trace_write(file, &trace);
    if (why)
        fprintf(stderr, "divm: %s\n", why);
    free(trace.verdict);
    bool good = !why;
    free(why);
    return good;
}

static int exit_status(const struct check_result *result, const struct story *story)
{
    switch (result->outcome) {
    case CHECK_OK: return CHECK_EXIT_OK;
    case CHECK_ERROR: return check_exit_status(story->kind);
    case CHECK_INCOMPLETE: return CHECK_EXIT_INCOMPLETE;
    case CHECK_INTERRUPTED: return CHECK_EXIT_INTERRUPT;
    case CHECK_BROKEN: return CHECK_EXIT_INTERNAL;
    }
    return CHECK_EXIT_INTERNAL;
}

/* What limits the answer, beside the verdict itself. */
static void tell_notes(const struct vm_program *program, const struct check_result *result)
{
    const char *weak = vm_program_weak_atomic(program);
    if (weak)
        fprintf(stderr,
                "divm: note: %s: an atomic weaker than seq_cst: checked under sequential "
                "consistency only\n",
                weak);
    if (result->saw_address)
        fputs("divm: note: the program looks at addresses as numbers: searched without heap "
              "symmetry\n",
              stderr);
}

static void tell_text(struct cli *cli, const struct check_result *result,
                      const struct check_options *options, const struct story *story,
                      const char *trace)
{
    struct report report = cli_report(cli, stdout);
    if (!cli->value[OPT_QUIET].number) {
        if (result->outcome == CHECK_ERROR)
            report_error(&report, story);
        if (cli->value[OPT_STATS].number)
            report_stats(stdout, &result->stats);
        if (result->outcome == CHECK_OK)
            printf("States are kept as 64-bit fingerprints: one was missed with a probability "
                   "of %.1g at most.\n",
                   check_omission(result->stats.states));
        if (trace)
            printf("replay with: divm replay %s\n", trace);
    }
    report_verdict(&report, result, options, story);
}

static void tell_json(struct cli *cli, const struct check_result *result,
                      const struct check_options *options, const struct story *story,
                      const char *trace)
{
    json_t *root = report_json(result, options, story);
    json_t *all = trace_options(&cli->program, &result->machine);
    json_object_set_new(all, "search",
                        json_string(options->search == CHECK_BFS ? "bfs" : "dfs"));
    json_object_set_new(root, "options", all);
    if (trace)
        json_object_set_new(root, "trace_file", json_string(trace));
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

static int tell(struct cli *cli, const struct vm_program *program,
                const struct check_options *options, struct check_result *result)
{
    struct story story = {0};
    char *file = NULL;
    if (result->outcome == CHECK_ERROR) {
        size_t good = check_replay(program, &result->machine, &result->path, story_begin,
                                   story_hear, &story);
        if (good != result->path.n || !story.failed)
            result->outcome = CHECK_BROKEN;
    }
    if (result->outcome == CHECK_ERROR) {
        file = trace_name(cli);
        if (file && !save_trace(cli, program, result, &story, file)) {
            free(file);
            file = NULL;
        }
    }
    if (!cli->value[OPT_QUIET].number)
        tell_notes(program, result);
    if (cli->value[OPT_FORMAT].number == 0)
        tell_text(cli, result, options, &story, file);
    else
        tell_json(cli, result, options, &story, file);
    int status = exit_status(result, &story);
    free(file);
    story_fini(&story);
    return status;
}

int cli_verify(struct cli *cli)
{
    cli_program_options(cli);
    struct vm_program *program =
        compile_and_load(&cli->program, cli->value[OPT_VERBOSE].number != 0);
    if (!program)
        return cli_interrupted ? CHECK_EXIT_INTERRUPT : CHECK_EXIT_REFUSED;
    struct check_options options = search_options(cli);
    struct progress progress;
    progress_init(&progress, (int)cli->value[OPT_PROGRESS].number);
    options.watch_context = &progress;
    struct check_result result;
    check_run(program, &options, &result);
    progress_end(&progress);
    int status = tell(cli, program, &options, &result);
    check_result_fini(&result);
    vm_unload(program);
    return status;
}
