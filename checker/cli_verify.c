/* cli_verify.c - divm verify: explore everything. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "processors.h"
#include "spill.h"

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
        .search = (enum check_search)value[OPT_SEARCH].number,
        .workers = (unsigned)value[OPT_WORKERS].number,
        .machine = cli_machine(cli),
        .spill = cli->spill,
        .exact = value[OPT_STORE].number,
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
        options.workers = processors_count();
    if (options.search == CHECK_AUTO && !cli->reduction[RED_HURRY])
        options.search = CHECK_BFS; /* executions need it */
    if (options.search == CHECK_DFS || options.search == CHECK_DPOR)
        options.workers = 1;
    return options;
}

/* NULL if no trace is wanted; malloc'ed.  That of a test case has its name in it:
 * FILE.CASE.trace. */
static char *trace_name(const struct cli *cli, const char *test)
{
    const struct cli_value *value = &cli->value[OPT_TRACE_FILE];
    const char *first = cli->program.files.at[0];
    char *name;
    if (value->number == 0)
        return NULL;
    const char *base = value->text ? value->text : report_basename(first);
    if (!strcmp(base, "-"))
        base = "stdin";
    int n = asprintf(&name, "%s%s%s%s", base, test ? "." : "", test ? test : "",
                     value->text && !test ? "" : ".trace");
    for (char *at = n < 0 ? NULL : name + strlen(base); at && *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
            *at = '_';
    return n < 0 ? NULL : name;
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
    case CHECK_UNSUITED: return CHECK_EXIT_INCOMPLETE;
    case CHECK_BROKEN: return CHECK_EXIT_INTERNAL;
    }
    return CHECK_EXIT_INTERNAL;
}

void verify_notes(const struct cli *cli, const struct vm_program *program,
                  const struct check_result *result)
{
    if (cli->program.boot_options & VM_BOOT_PROMPT)
        fputs("divm: note: --clock=prompt: a time limit that passes while a thread could go on "
              "was not looked at\n",
              stderr);
    const char *weak = vm_program_weak_atomic(program);
    if (weak)
        fprintf(stderr,
                "divm: note: %s: an atomic weaker than seq_cst: checked under sequential "
                "consistency only\n",
                weak);
    const char *unprototyped = vm_program_unprototyped(program);
    if (unprototyped)
        fprintf(
            stderr,
            "divm: note: %s is defined without a prototype: a call with more arguments than "
            "it takes is accepted\n",
            unprototyped);
    if (result->hid_pointer)
        fputs("divm: note: the program hides pointers (packed, in pieces, in files, computed): "
              "searched without private objects\n",
              stderr);
    if (result->saw_address)
        fputs("divm: note: the program looks at addresses as numbers: searched without heap "
              "symmetry\n",
              stderr);
}

void verify_search(struct cli *cli, const struct vm_program *program, const char *name,
                   struct verification *v)
{
    struct progress progress;
    *v = (struct verification){.options = search_options(cli)};
    struct check_result *result = &v->result;
    progress_init(&progress, (int)cli->value[OPT_PROGRESS].number);
    v->options.watch_context = &progress;
    check_run(program, &v->options, result);
    progress_end(&progress);
    if (result->outcome == CHECK_ERROR) {
        size_t good = check_replay(program, &result->machine, &result->path, story_begin,
                                   story_hear, &v->story);
        if (good != result->path.n || !v->story.failed)
            result->outcome = CHECK_BROKEN;
    }
    if (result->outcome == CHECK_ERROR) {
        v->trace = trace_name(cli, name);
        if (v->trace && !save_trace(cli, program, result, &v->story, v->trace)) {
            free(v->trace);
            v->trace = NULL;
        }
    }
    v->status = exit_status(result, &v->story);
}

void verify_fini(struct verification *v)
{
    free(v->trace);
    story_fini(&v->story);
    check_result_fini(&v->result);
}

void verify_tell(const struct cli *cli, const struct verification *v)
{
    struct report report = cli_report(cli, stdout);
    if (v->result.outcome == CHECK_ERROR)
        report_error(&report, &v->story);
    if (cli->value[OPT_STATS].number)
        report_stats(stdout, &v->result.stats);
    if (v->trace)
        printf("replay with: divm replay %s\n", v->trace);
}

static const char *const search_names[] = {
    [CHECK_AUTO] = "auto",
    [CHECK_BFS] = "bfs",
    [CHECK_DFS] = "dfs",
    [CHECK_DPOR] = "dpor",
};

json_t *verify_json(const struct cli *cli, const struct verification *v)
{
    json_t *root = report_json(&v->result, &v->options, &v->story);
    json_t *all = trace_options(&cli->program, &v->result.machine);
    json_object_set_new(all, "search", json_string(search_names[v->options.search]));
    json_object_set_new(all, "store", json_string(v->options.exact ? "exact" : "compact"));
    json_object_set_new(root, "options", all);
    if (v->trace)
        json_object_set_new(root, "trace_file", json_string(v->trace));
    return root;
}

static void tell_text(const struct cli *cli, const struct verification *v)
{
    struct report report = cli_report(cli, stdout);
    if (!cli->value[OPT_QUIET].number) {
        if (v->result.outcome == CHECK_OK && v->result.answer == CHECK_DPOR)
            printf("Looked at by executions (dynamic partial-order reduction): %" PRIu64 ".\n",
                   v->result.stats.executions);
        else if (v->result.outcome == CHECK_OK && v->options.exact)
            puts("States are kept as they are: none was taken for another.");
        else if (v->result.outcome == CHECK_OK)
            printf("States are kept as 64-bit fingerprints: one was missed with a probability "
                   "of %.1g at most.\n",
                   check_omission(&v->result.stats));
        verify_tell(cli, v);
    }
    report_verdict(&report, &v->result, &v->options, &v->story);
}

static int verify_whole(struct cli *cli, const struct vm_program *program)
{
    struct verification v;
    const char *junit_file = cli->value[OPT_OUTPUT_JUNIT].text;
    verify_search(cli, program, NULL, &v);
    if (!cli->value[OPT_QUIET].number)
        verify_notes(cli, program, &v.result);
    if (cli->value[OPT_FORMAT].number == 0) {
        tell_text(cli, &v);
    } else {
        json_t *root = verify_json(cli, &v);
        json_dumpf(root, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(root);
    }
    if (junit_file) {
        struct junit junit;
        const char *name = report_basename(cli->program.files.at[0]);
        junit_open(&junit);
        junit_add(&junit, name, name, &v.result, &v.options, &v.story);
        if (!junit_close(&junit, name, junit_file) && v.status == CHECK_EXIT_OK)
            v.status = CHECK_EXIT_REFUSED;
    }
    int status = v.status;
    verify_fini(&v);
    return status;
}

/* Whether, and by which framework, the cases are to be told apart; false if the one that
 * was asked for is not there.  Arguments of the user's own pick the cases already. */
static bool choose_framework(const struct cli *cli, enum framework *framework)
{
    enum { AUTO, NONE };
    const struct cli_value *value = &cli->value[OPT_FRAMEWORK];
    const char *filter = cli->value[OPT_FILTER].text;
    bool there = true;
    if (value->number != AUTO) {
        enum framework wanted = (enum framework)(value->number - NONE);
        there = wanted == FRAMEWORK_NONE || wanted == *framework;
        *framework = wanted;
    } else if (cli->program.arguments.n && !filter) {
        *framework = FRAMEWORK_NONE;
    }
    if (!there)
        fprintf(stderr, "divm: %s: has no test cases of the framework asked for\n",
                cli->program.files.at[0]);
    else if (filter && *framework == FRAMEWORK_NONE)
        fprintf(stderr, "divm: --filter=%s: %s has no test cases to pick from\n", filter,
                cli->program.files.at[0]);
    return there && !(filter && *framework == FRAMEWORK_NONE);
}

static int verify_program(struct cli *cli)
{
    enum framework framework;
    cli_program_options(cli);
    struct vm_program *program =
        compile_and_load(&cli->program, cli->value[OPT_VERBOSE].number != 0, &framework);
    if (!program)
        return cli_interrupted ? CHECK_EXIT_INTERRUPT : CHECK_EXIT_REFUSED;
    int status = CHECK_EXIT_REFUSED;
    if (choose_framework(cli, &framework))
        status = framework == FRAMEWORK_NONE ? verify_whole(cli, program)
                                             : verify_cases(cli, program, framework);
    vm_unload(program);
    return status;
}

int cli_verify(struct cli *cli)
{
    const char *folder = cli->value[OPT_SPILL].text;
    struct spill spill;
    if (!folder)
        return verify_program(cli);
    if (!spill_open(&spill, folder))
        return CHECK_EXIT_REFUSED;
    cli->spill = &spill;
    int status = verify_program(cli);
    cli->spill = NULL;
    spill_close(&spill);
    return status;
}
