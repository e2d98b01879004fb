/* incomplete.c - reports on a search that was cut short: why, what was proven, what the states
 * that are left are about, and what may help. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "checker/report/report.h"
#include "checker/search/check.h"
#include "checker/search/spill.h"

/* ---- why ------------------------------------------------------------------------- */

static char *limit_text(enum check_limit limit, const char *why, bool found,
                        const struct check_options *options)
{
    static const char *const texts[] = {
#define CHECK_LIMIT(name, text) text,
#include "checker/search/limits.def"
    };
    char value[64] = "", *line;
    switch (limit) {
    case CHECK_LIMIT_TIME: snprintf(value, sizeof value, "%g s", options->max_seconds); break;
    case CHECK_LIMIT_MEMORY:
        report_bytes(value, sizeof value, (double)options->max_bytes);
        break;
    case CHECK_LIMIT_DISK:
        snprintf(value, sizeof value, "%s",
                 options->spill ? options->spill->folder : options->saving->resume);
        break;
    case CHECK_LIMIT_STATES:
        snprintf(value, sizeof value, "%" PRIu64, options->max_states);
        break;
    case CHECK_LIMIT_DEPTH:
        snprintf(value, sizeof value, "%" PRIu64, options->max_depth);
        break;
    case CHECK_LIMIT_PREEMPTIONS:
        snprintf(value, sizeof value, "%" PRIu64, options->max_preemptions);
        break;
    case CHECK_LIMIT_RUNS:
        snprintf(value, sizeof value, "%" PRIu64, options->sampling.runs);
        break;
    case CHECK_LIMIT_MACHINE: return check_strdup(why);
    case CHECK_LIMIT_EXHAUSTED: return check_strdup(texts[limit]);
    case CHECK_LIMIT_NONE:
    case CHECK_LIMIT_COUNT: break;
    }
    line = check_format("%s of %s%s", texts[limit], value,
                        found ? ", before the way to an error was known" : "");
    return line;
}

static char *unsuited_text(const struct check_result *result)
{
    return check_format("%s does not suit the program: %s",
                        result->bounded            ? "--preemptions"
                        : result->machine.monitors ? "--monitor"
                        : result->live             ? "--fair"
                                                   : "--search=dpor",
                        result->why);
}

char *report_incomplete(const struct check_result *result, const struct check_options *options)
{
    switch (result->outcome) {
    case CHECK_OK:
    case CHECK_ERROR: return NULL;
    case CHECK_INCOMPLETE:
        return limit_text(result->limit, result->why, result->found, options);
    case CHECK_INTERRUPTED: return check_strdup("interrupted");
    case CHECK_UNSUITED: return unsuited_text(result);
    case CHECK_BROKEN: break;
    }
    return check_strdup("an error was found, but not the way to it again (a bug of divm)");
}

char *report_cut(const struct check_result *result, const struct check_options *options)
{
    if (result->outcome != CHECK_ERROR || !result->cut)
        return NULL;
    return result->limit == CHECK_LIMIT_NONE
               ? check_strdup("interrupted")
               : limit_text(result->limit, result->why, false, options);
}

/* ---- what was proven ------------------------------------------------------------- */

static bool is_incomplete(const struct check_result *result)
{
    return result->outcome != CHECK_OK && result->outcome != CHECK_ERROR;
}

/* Prints two digits; "%.2g" would write 100 as 1e+02. */
static void put_percent(FILE *out, double percent)
{
    fprintf(out, percent < 99.5 ? "%.2g %%" : "%.0f %%", percent);
}

/* Prints how much of the forecast total is done: "about 3 %", "1 % to 20 %". */
static void put_share(FILE *out, uint64_t done, const struct check_forecast *all)
{
    double least = 100 * (double)done / all->most, most = 100 * (double)done / all->least;
    static const double narrow = 2, wide = 1000;
    bool one = most < narrow * least;
    if (one || most > wide * least) {
        fputs(one ? "about " : "at most ", out);
        put_percent(out, one ? 100 * (double)done / all->all : most);
        return;
    }
    put_percent(out, least);
    fputs(" to ", out);
    put_percent(out, most);
}

static void put_executions(FILE *out, const struct check_result *result)
{
    uint64_t n = result->stats.executions;
    fprintf(out, "no error in %" PRIu64 " execution%s", n, n == 1 ? "" : "s");
    if (!result->executions_in_all.all || !n)
        return;
    fputs(", ", out);
    put_share(out, n, &result->executions_in_all);
    fputs(" of all, as it seems", out);
}

static void put_actions(FILE *out, uint64_t actions)
{
    if (actions == 1)
        fputs("no error in the first action of all interleavings", out);
    else
        fprintf(out, "no error in the first %" PRIu64 " actions of all interleavings", actions);
}

/* Prints "(12 states, 3 executions)". */
static void put_counts(FILE *out, const struct check_stats *stats)
{
    fprintf(out, " (%" PRIu64 " state%s", stats->states, stats->states == 1 ? "" : "s");
    if (stats->executions)
        fprintf(out, ", %" PRIu64 " execution%s", stats->executions,
                stats->executions == 1 ? "" : "s");
    fputc(')', out);
}

/* Prints that all executions with fewer preemptions were seen. */
static void put_preemptions(FILE *out, const struct check_result *result)
{
    uint64_t most = result->preemptions - 1;
    fprintf(out, "no error with at most %" PRIu64 " preemption%s: complete, %" PRIu64 " states",
            most, most == 1 ? "" : "s", result->stats.states);
}

/* Did the limit or the interrupt come while divm compiled, or in the first transition? */
static bool is_unbegun(const struct check_result *result)
{
    return !result->found && !result->stats.states && !result->stats.executions &&
           !result->sampled.runs;
}

char *report_proven(const struct check_result *result)
{
    if (is_unbegun(result))
        return check_strdup("nothing was explored");
    if (report_is_sampled(result))
        return report_sampled(result, NULL);
    if (result->sampled.scheduler && result->limit == CHECK_LIMIT_MACHINE)
        return check_format("no error before run %" PRIu64, result->sampled.runs);
    if (result->sampled.scheduler)
        return check_format("run %" PRIu64 " has an error", result->sampled.runs);
    char *text = NULL;
    size_t size;
    FILE *out = check_text_stream(&text, &size);
    if (result->bounded && !result->found && result->preemptions)
        put_preemptions(out, result);
    else if (result->unjudged)
        fputs("no error of another kind in any interleaving, but endless runs were not looked "
              "for in all",
              out);
    else if (result->live && !result->found && result->outcome != CHECK_BROKEN)
        fprintf(
            out,
            "no error of another kind in any interleaving, but infinite runs were only looked "
            "for in "
            "%" PRIu64 " states",
            result->stats.states);
    else if (result->found || result->outcome == CHECK_BROKEN)
        fprintf(out, "%" PRIu64 " states seen, an error among them", result->stats.states);
    else if (result->answer == CHECK_DPOR)
        put_executions(out, result);
    else if (result->proven)
        put_actions(out, result->proven);
    else
        fprintf(out, "no error in %" PRIu64 " state%s", result->stats.states,
                result->stats.states == 1 ? "" : "s");
    if (result->bounded && !result->found && !result->preemptions)
        fputs(" of runs without preemptions", out);
    if (!result->found && result->proven && result->answer != CHECK_DPOR)
        put_counts(out, &result->stats);
    fclose(out);
    return text;
}

/* ---- what is left ---------------------------------------------------------------- */

enum { LINES = 5 };

/* Threads that run the same function, told as one. */
struct group {
    const char *entry;
    unsigned n;
};

struct groups {
    struct group *at; /* the largest first */
    size_t n, max;
};

static int larger(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return (int)y->n - (int)x->n;
}

static struct groups group_threads(const struct check_unexplored *unexplored)
{
    struct groups groups = {0};
    for (size_t i = 0; i < unexplored->nthreads; i++) {
        const char *entry = unexplored->threads[i].entry;
        size_t k = 0;
        while (k < groups.n && strcmp(groups.at[k].entry, entry) != 0)
            k++;
        if (k < groups.n)
            groups.at[k].n++;
        else
            ARRAY_PUSH(groups.at, groups.n, groups.max, (struct group){entry, 1});
    }
    if (groups.n)
        qsort(groups.at, groups.n, sizeof *groups.at, larger);
    return groups;
}

static unsigned threads_of(const struct check_unexplored_line *line)
{
    return (unsigned)__builtin_popcountll(line->threads);
}

static double percent_of(const struct check_unexplored *unexplored,
                         const struct check_unexplored_line *line)
{
    return 100 * (double)line->actions / (double)unexplored->actions;
}

static size_t lines_told(const struct check_unexplored *unexplored)
{
    return unexplored->nlines < LINES ? unexplored->nlines : LINES;
}

static void print_line(FILE *out, const struct check_unexplored *unexplored,
                       const struct check_unexplored_line *line)
{
    char *function = cex_demangle(line->function), *object = cex_demangle(line->object);
    unsigned threads = threads_of(line);
    fprintf(out, "  %3.0f %%  %s:%u (%s)", percent_of(unexplored, line),
            check_basename(line->file), line->line, function);
    if (report_has_name(object))
        fprintf(out, ": %s%s", object, line->others ? " and others" : "");
    fprintf(out, ", by %u thread%s\n", threads, threads == 1 ? "" : "s");
    free(function);
    free(object);
}

/* Prints "; in all there seem to be 2.3 million to 10 million". */
static void print_spread(FILE *out, const struct check_forecast *all)
{
    char least[32], most[32];
    report_count(least, sizeof least, all->least);
    report_count(most, sizeof most, all->most);
    fprintf(out, "; in all there seem to be %s to %s", least, most);
}

/* Prints the time that is left: ": 20 s to 3 min more." */
static void print_left(FILE *out, const struct check_result *result)
{
    char least[32], most[32];
    report_duration(least, sizeof least, result->least_left);
    report_duration(most, sizeof most, result->most_left);
    if (result->states_in_all.all && result->most_left < HUGE_VAL)
        fprintf(out, ": %s to %s more", least, most);
    fputs(".\n", out);
}

static void print_growth(FILE *out, const struct check_result *result)
{
    const struct check_forecast *all = &result->states_in_all;
    if (result->growth > 0)
        fprintf(out, "The last level had %.2g times the states of the one before",
                result->growth);
    if (result->growth > 0 && all->all)
        print_spread(out, all);
    if (result->growth > 0)
        print_left(out, result);
}

/* Prints "Runs have 18 to 21 actions, and there seem to be 10^12 of them or more (100 random
 * ones)."  If single runs say very different things, those that say most are mostly missing. */
static void print_runs(FILE *out, const struct check_runs *runs)
{
    static const double large = 15, different = 1;
    char many[32];
    if (runs->unended)
        fprintf(out,
                "Of %" PRIu64 " random runs %" PRIu64 " had not ended after many actions.\n",
                runs->n + runs->unended, runs->unended);
    if (!runs->n)
        return;
    if (runs->log_all < large)
        report_count(many, sizeof many, pow(10, runs->log_all));
    else
        snprintf(many, sizeof many, "10^%.0f", runs->log_all);
    fprintf(out, "Runs have %" PRIu64, runs->shortest);
    if (runs->longest > runs->shortest)
        fprintf(out, " to %" PRIu64, runs->longest);
    fprintf(out, " actions, and there seem to be %s of them%s (%" PRIu64 " random one%s).\n",
            many, runs->log_most - runs->log_least > different ? " or more" : "", runs->n,
            runs->n == 1 ? "" : "s");
}

/* ---- what may help --------------------------------------------------------------- */

/* Adds a suggestion and the command for it: "random runs: divm simulate test.c". */
static void add_command(struct strings *list, const struct check_options *options,
                        const char *what, const char *command)
{
    char *text = check_format("%s: divm %s%s", what, command,
                              options->again ? options->again : " FILE...");
    strings_add(list, text);
    free(text);
}

static void add_fewer(struct strings *list, const struct check_unexplored *unexplored)
{
    enum { SEVERAL = 3, MUCH = 20 };
    struct groups groups = group_threads(unexplored);
    if (groups.n && groups.at[0].n >= SEVERAL) {
        char *entry = cex_demangle(groups.at[0].entry);
        char *text =
            check_format("fewer threads than the %u that run %s", groups.at[0].n, entry);
        strings_add(list, text);
        free(text);
        free(entry);
    }
    free(groups.at);
    if (!unexplored->nlines || percent_of(unexplored, unexplored->lines) < MUCH)
        return;
    const struct check_unexplored_line *line = unexplored->lines;
    char *object = cex_demangle(line->object);
    bool named = report_has_name(object);
    char *text =
        check_format("fewer repetitions of %s:%u%s%s%s", check_basename(line->file), line->line,
                     named ? " (" : "", named ? object : "", named ? ")" : "");
    strings_add(list, text);
    free(text);
    free(object);
}

static void add_more_of(struct strings *list, const struct check_result *result,
                        const struct check_options *options)
{
    if (result->saved) {
        char *text =
            check_format("--resume=%s with the same program and options, which goes on "
                         "from here",
                         options->saving->file);
        strings_add(list, text);
        free(text);
    }
    if (result->limit == CHECK_LIMIT_MEMORY && !result->live && options->search != CHECK_DFS &&
        options->search != CHECK_DPOR && !options->spill)
        strings_add(list, "--spill=DIR, which keeps unexplored states in a file");
    if (result->limit == CHECK_LIMIT_DEPTH)
        strings_add(list, "a larger --max-depth");
    if (result->favoured == CHECK_BFS)
        add_command(list, options, "the search by states alone, which may be through sooner",
                    "verify --search=bfs");
    if (result->favoured == CHECK_DPOR)
        add_command(list, options,
                    "the search by executions alone, which may be through sooner",
                    "verify --search=dpor");
}

/* Adds searches that look at less, but come to an end. */
static void add_less(struct strings *list, const struct check_result *result,
                     const struct check_options *options)
{
    char command[64];
    enum { FEW = 2 };
    uint64_t n = result->bounded ? options->max_preemptions + 1 : FEW;
    snprintf(command, sizeof command, "verify --preemptions=%" PRIu64, n);
    if (!result->bounded)
        add_command(list, options, "what two preemptions at most lead to", command);
    else if (result->limit == CHECK_LIMIT_PREEMPTIONS)
        add_command(list, options, "one preemption more", command);
    add_command(list, options, "random runs, many thousands", "simulate");
}

struct strings report_advice(const struct check_result *result,
                             const struct check_options *options)
{
    struct strings list = {0};
    if (!is_incomplete(result) || result->found || result->sampled.scheduler ||
        is_unbegun(result))
        return list;
    add_more_of(&list, result, options);
    if (result->unjudged)
        strings_add(&list, "--endless=allow, which does not look for endless runs");
    if (result->live || result->unjudged)
        return list;
    add_fewer(&list, &result->unexplored);
    add_less(&list, result, options);
    return list;
}

/* ---- as text --------------------------------------------------------------------- */

static void print_threads(FILE *out, const struct check_unexplored *unexplored)
{
    struct groups groups = group_threads(unexplored);
    fputs("  threads:", out);
    for (size_t k = 0; k < groups.n; k++) {
        char *entry = cex_demangle(groups.at[k].entry);
        fprintf(out, "%s %u run%s %s", k ? "," : "", groups.at[k].n,
                groups.at[k].n == 1 ? "s" : "", entry);
        free(entry);
    }
    fputc('\n', out);
    free(groups.at);
}

static void print_unexplored(FILE *out, const struct check_result *result)
{
    const struct check_unexplored *unexplored = &result->unexplored;
    if (!unexplored->actions)
        return;
    if (unexplored->execution)
        fprintf(out,
                "Other threads were tried as well, or are still to be, at %" PRIu64
                " of the %" PRIu64 " actions of the last execution:\n",
                unexplored->sampled, unexplored->execution);
    else if (result->open == 1)
        fputs("One state is left unexplored. What threads do next in it:\n", out);
    else
        fprintf(out,
                "%" PRIu64 " states are left unexplored. What threads do next in %" PRIu64
                " of them:\n",
                result->open, unexplored->sampled);
    print_threads(out, unexplored);
    for (size_t i = 0; i < lines_told(unexplored); i++)
        print_line(out, unexplored, &unexplored->lines[i]);
    print_growth(out, result);
    print_runs(out, &result->runs);
}

void report_left(FILE *out, const struct check_result *result,
                 const struct check_options *options)
{
    struct strings advice = report_advice(result, options);
    if (result->sampled.scheduler)
        report_runs(out, result);
    if (result->bounded && result->outcome == CHECK_ERROR)
        fprintf(out,
                "it takes %" PRIu64 " preemption%s: no execution with fewer has an error\n",
                result->preemptions, result->preemptions == 1 ? "" : "s");
    if (is_incomplete(result))
        print_unexplored(out, result);
    for (size_t i = 0; i < advice.n; i++)
        fprintf(out, "%s %s\n", i ? "       " : "to try:", advice.at[i]);
    if (advice.n)
        fputc('\n', out);
    strings_fini(&advice);
}

/* ---- as JSON --------------------------------------------------------------------- */

static json_t *text_json(const char *text)
{
    return report_json_text(text, strlen(text));
}

static json_t *forecast_json(const struct check_forecast *all)
{
    return json_pack("{s:f, s:f, s:f}", "all", all->all, "least", all->least, "most",
                     all->most);
}

static json_t *runs_json(const struct check_runs *runs)
{
    json_t *json = json_pack("{s:I, s:I}", "ended", (json_int_t)runs->n, "unended",
                             (json_int_t)runs->unended);
    if (!runs->n)
        return json;
    json_object_set_new(json, "actions",
                        json_pack("{s:I, s:f, s:I}", "least", (json_int_t)runs->shortest,
                                  "mean", runs->mean, "most", (json_int_t)runs->longest));
    json_object_set_new(json, "log10_of_all",
                        json_pack("{s:f, s:f, s:f}", "least", runs->log_least, "all",
                                  runs->log_all, "most", runs->log_most));
    return json;
}

static json_t *line_json(const struct check_unexplored *unexplored,
                         const struct check_unexplored_line *line)
{
    char *function = cex_demangle(line->function), *object = cex_demangle(line->object);
    json_t *json = json_pack("{s:o, s:i, s:o, s:o, s:i, s:f}", "file", text_json(line->file),
                             "line", (int)line->line, "function", text_json(function), "object",
                             text_json(object), "threads", (int)threads_of(line), "share",
                             percent_of(unexplored, line) / 100);
    free(function);
    free(object);
    return json;
}

static json_t *unexplored_json(const struct check_unexplored *unexplored)
{
    json_t *lines = json_array(), *threads = json_array();
    struct groups groups = group_threads(unexplored);
    for (size_t k = 0; k < groups.n; k++) {
        char *entry = cex_demangle(groups.at[k].entry);
        json_array_append_new(threads, json_pack("{s:o, s:i}", "function", text_json(entry),
                                                 "threads", (int)groups.at[k].n));
        free(entry);
    }
    for (size_t i = 0; i < lines_told(unexplored); i++)
        json_array_append_new(lines, line_json(unexplored, &unexplored->lines[i]));
    free(groups.at);
    json_t *json = json_pack("{s:I, s:o, s:o}", "sampled", (json_int_t)unexplored->sampled,
                             "threads", threads, "lines", lines);
    if (unexplored->execution)
        json_object_set_new(json, "execution", json_integer((json_int_t)unexplored->execution));
    return json;
}

void report_left_json(json_t *root, const struct check_result *result,
                      const struct check_options *options)
{
    if (!is_incomplete(result))
        return;
    char *proven = report_proven(result);
    json_object_set_new(root, "proven", text_json(proven));
    free(proven);
    if (result->sampled.scheduler)
        return;
    if (!result->found && result->answer != CHECK_DPOR)
        json_object_set_new(root, "proven_actions", json_integer((json_int_t)result->proven));
    json_object_set_new(root, "unexplored", json_integer((json_int_t)result->open));
    if (result->growth > 0)
        json_object_set_new(root, "growth", json_real(result->growth));
    if (result->states_in_all.all)
        json_object_set_new(root, "states_in_all", forecast_json(&result->states_in_all));
    if (result->most_left > 0 && result->most_left < HUGE_VAL)
        json_object_set_new(
            root, "seconds_left",
            json_pack("{s:f, s:f}", "least", result->least_left, "most", result->most_left));
    if (result->runs.n || result->runs.unended)
        json_object_set_new(root, "random_runs", runs_json(&result->runs));
    if (result->executions_in_all.all)
        json_object_set_new(root, "executions_in_all",
                            forecast_json(&result->executions_in_all));
    if (result->unexplored.actions)
        json_object_set_new(root, "next_actions", unexplored_json(&result->unexplored));
    struct strings advice = report_advice(result, options);
    json_t *list = json_array();
    for (size_t i = 0; i < advice.n; i++)
        json_array_append_new(list, text_json(advice.at[i]));
    json_object_set_new(root, "advice", list);
    strings_fini(&advice);
}
