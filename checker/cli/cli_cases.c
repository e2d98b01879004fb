/* cli_cases.c - divm verify of a program whose tests a framework lists: each case is a search
 * of its own, and the results are summed up. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/build/framework.h"
#include "checker/build/limits.h"
#include "checker/cli/cli.h"
#include "checker/cli/cli_cases.h"
#include "checker/cli/cli_list.h"
#include "checker/cli/outputs.h"
#include "checker/cli/verification.h"
#include "checker/memory.h"
#include "checker/report/notes.h"
#include "checker/report/report.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"
#include "checker/search/interrupt.h"

/* The result of all cases so far. */
struct total {
    struct check_result result; /* sums; the worst outcome */
    unsigned cases, failed, incomplete, skipped, vacuous;
    unsigned unsaved; /* pages */
    char *why;        /* of the result */
    char *first;      /* the first failure, or the first limit: "CASE: what" */
    int status;
    struct check_options options;
    json_t *list;
};

static bool is_json(const struct cli *cli)
{
    return cli->value[OPT_FORMAT].number != 0;
}

static void add_stats(struct check_stats *sum, const struct check_stats *one)
{
#define CHECK_STAT(name, kind, text) \
    sum->name = is_maximum(#name) ? MAX(sum->name, one->name) : sum->name + one->name;
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define is_maximum(name)                                                                      \
    (!strcmp(name, "depth") || !strcmp(name, "peak_bytes") || !strcmp(name, "open_states") || \
     !strcmp(name, "open_bytes"))
#include "checker/search/stats.def"
    sum->seconds += one->seconds;
}

static void add_runs(struct check_sampled *sum, const struct check_sampled *one)
{
    uint64_t runs = sum->runs + one->runs;
    *sum = *one;
    sum->runs = runs;
}

/* Adds an outcome.  An error is worse than a search that was cut short; the first of a kind
 * counts. */
static void add_outcome(struct total *total, const struct framework_case *one,
                        const struct verification *v)
{
    bool error = v->result.outcome == CHECK_ERROR, had_error = total->failed > 0;
    bool first = v->result.outcome != CHECK_OK && (error ? !had_error : !total->first);
    total->failed += error;
    total->vacuous += report_vacuous(&v->result) != NULL;
    total->incomplete += !error && v->result.outcome != CHECK_OK;
    if (!first)
        return;
    char *what = error ? report_headline(&v->cex) : report_incomplete(&v->result, &v->options);
    char *proven = error ? NULL : report_proven(&v->result);
    free(total->first);
    total->first =
        check_format("%s: %s%s%s", one->name, what, proven ? ": " : "", proven ? proven : "");
    free(what);
    free(proven);
    total->result.outcome = v->result.outcome;
    total->result.limit = v->result.limit;
    total->result.found = v->result.found;
    free(total->why);
    total->why = check_strdup(v->result.why);
    total->result.why = total->why;
    total->status = v->status;
}

static void print_case(const struct cli *cli, const struct framework_case *one,
                       const struct verification *v)
{
    static const char *const words[] = {
        [CHECK_OK] = "ok",
        [CHECK_ERROR] = "FAILED",
        [CHECK_INCOMPLETE] = "incomplete",
        [CHECK_INTERRUPTED] = "incomplete",
        [CHECK_UNSUITED] = "incomplete",
        [CHECK_BROKEN] = "incomplete",
    };
    static const enum report_style styles[] = {
        [CHECK_OK] = STYLE_GOOD,         [CHECK_ERROR] = STYLE_ERROR,
        [CHECK_INCOMPLETE] = STYLE_WARN, [CHECK_INTERRUPTED] = STYLE_WARN,
        [CHECK_UNSUITED] = STYLE_WARN,   [CHECK_BROKEN] = STYLE_WARN,
    };
    struct report report = cli_report(cli, stdout);
    if (is_json(cli) || cli->value[OPT_QUIET].number)
        return;
    if (!v) {
        printf("skipped     %s\n", one->name);
        return;
    }
    if (v->result.outcome == CHECK_ERROR)
        putchar('\n');
    verify_print(cli, v);
    const char *vacuous = report_vacuous(&v->result);
    bool sampled = v->options.sampling.name, over = v->result.limit == CHECK_LIMIT_RUNS;
    printf("%s%-10s%s  %s: %" PRIu64 " %s, %.2f s%s%s\n",
           report_style(&report, styles[v->result.outcome]),
           over ? "no error" : words[v->result.outcome], report_style(&report, STYLE_PLAIN),
           one->name, sampled ? v->result.sampled.runs : v->result.stats.states,
           sampled ? "runs" : "states", v->result.stats.seconds, vacuous ? ", but " : "",
           vacuous ? vacuous : "");
    if (v->result.outcome == CHECK_ERROR)
        putchar('\n');
    fflush(stdout);
}

static void verify_case(struct cli *cli, struct vm_program *program, struct outputs *outputs,
                        const struct framework_case *one, struct total *total)
{
    struct verification v;
    total->cases++;
    if (one->skipped) {
        total->skipped++;
        print_case(cli, one, NULL);
        outputs_add(outputs, one->name, NULL);
        return;
    }
    bool goes_on = build_limits.end == APART_DONE; /* else others may still use the program */
    if (goes_on)
        framework_start(program, &cli->program, one);
    verify_search(cli, program, one->name, &v);
    add_stats(&total->result.stats, &v.result.stats);
    add_runs(&total->result.sampled, &v.result.sampled);
    total->result.machine = v.result.machine;
    total->result.weak = v.result.weak;
    total->result.model = v.result.model;
    total->options = v.options;
    total->result.broken |= v.result.broken;
    add_outcome(total, one, &v);
    print_case(cli, one, &v);
    if (v.result.outcome != CHECK_OK)
        total->unsaved += !verify_page(cli, program, one->name, &v);
    outputs_add(outputs, one->name, &v);
    if (is_json(cli)) {
        json_t *report = verify_json(cli, program, &v);
        json_object_set_new(report, "name", report_json_text(one->name, strlen(one->name)));
        json_array_append_new(total->list, report);
    }
    if (goes_on)
        framework_forget(&cli->program, one);
    verify_fini(&v);
}

static void print_total(const struct cli *cli, const struct total *total)
{
    struct report report = cli_report(cli, stdout);
    if (total->result.outcome == CHECK_ERROR)
        printf("divm: %serror%s: %u of %u cases failed, first %s\n",
               report_style(&report, STYLE_ERROR), report_style(&report, STYLE_PLAIN),
               total->failed, total->cases, total->first ? total->first : "");
    else if (total->result.outcome != CHECK_OK && total->options.sampling.name)
        printf("divm: %sno error%s in %" PRIu64 " runs of %u cases (seed %" PRIu64
               "), first %s\n",
               report_style(&report, STYLE_WARN), report_style(&report, STYLE_PLAIN),
               total->result.sampled.runs, total->cases - total->skipped,
               total->options.sampling.seed, total->first ? total->first : "");
    else if (total->result.outcome != CHECK_OK)
        printf("divm: %sincomplete%s: %u of %u cases, first %s\n",
               report_style(&report, STYLE_WARN), report_style(&report, STYLE_PLAIN),
               total->incomplete, total->cases, total->first ? total->first : "");
    else {
        if (total->vacuous && !report_vacuous(&total->result))
            printf("In %u of %u cases no execution ends: assumptions drop them.\n",
                   total->vacuous, total->cases);
        report_verdict(&report, &total->result, &total->options, NULL);
    }
}

/* Prints the JSON report, in which the first error is that of the whole. */
static void print_json(const struct cli *cli, const struct vm_program *program,
                       struct total *total)
{
    struct verification all = {.options = total->options, .result = total->result};
    json_t *root = verify_json(cli, program, &all), *one;
    size_t i;
    cli_coverage_json(cli, program, root);
    json_object_del(root, "error");
    json_array_foreach(total->list, i, one)
    {
        json_t *error = json_object_get(one, "error");
        if (error && !json_object_get(root, "error"))
            json_object_set(root, "error", error);
    }
    json_object_set(root, "cases", total->list);
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

static bool is_wanted(const struct cli *cli, const struct framework_case *one)
{
    const char *pattern = cli->value[OPT_FILTER].text;
    return !pattern || fnmatch(pattern, one->name, 0) == 0;
}

static void no_case_matches(const char *filter, const struct framework_cases *cases)
{
    enum { NAMED = 5 };
    fprintf(stderr, "divm: no test case matches '%s'; there are %zu", filter, cases->n);
    for (size_t i = 0; i < cases->n && i < NAMED; i++)
        fprintf(stderr, "%s%s", i ? ", " : ": ", cases->at[i].name);
    fputs(cases->n > NAMED ? ", ...\n" : "\n", stderr);
}

/* Returns false, after a message, if no test case matches the filter. */
static bool run_cases(struct cli *cli, struct vm_program *program, struct outputs *outputs,
                      const struct framework_cases *cases, struct total *total)
{
    for (size_t i = 0; i < cases->n && !check_is_interrupted(); i++)
        if (is_wanted(cli, &cases->at[i]))
            verify_case(cli, program, outputs, &cases->at[i], total);
    if (check_is_interrupted() && total->result.outcome == CHECK_OK) {
        total->result.outcome = CHECK_INTERRUPTED;
        total->status = CHECK_EXIT_INTERRUPT;
    }
    if (!total->cases && !check_is_interrupted()) {
        no_case_matches(cli->value[OPT_FILTER].text, cases);
        return false;
    }
    return true;
}

int verify_cases(struct cli *cli, struct vm_program *program, enum framework framework)
{
    struct framework_cases cases = {0};
    struct total total = {.list = json_array()};
    struct outputs outputs;
    int status = CHECK_EXIT_REFUSED;
    if (!framework_list(cli, program, framework, &cases)) {
        status = build_limits.end == APART_DONE ? status : verify_unloaded(cli);
        goto out;
    }
    outputs_open(&outputs, cli);
    bool any = run_cases(cli, program, &outputs, &cases, &total);
    if (any && !cli->value[OPT_QUIET].number)
        notes_print(&cli->program, program, &total.result);
    if (any && is_json(cli))
        print_json(cli, program, &total);
    else if (any) {
        if (!cli->value[OPT_QUIET].number)
            cli_coverage_print(cli, program);
        print_total(cli, &total);
    }
    status = any ? total.status : CHECK_EXIT_USAGE;
    json_t *notes = notes_json(&cli->program, program, &total.result);
    status = outputs_close(&outputs, notes, status);
    if (total.unsaved && status == CHECK_EXIT_OK)
        status = CHECK_EXIT_REFUSED;
    json_decref(notes);
out:
    json_decref(total.list);
    free(total.first);
    free(total.why);
    framework_fini(&cases);
    return status;
}
