/* report_sampled.c - reports on a simulation: it proves nothing, but says how hard it
 * looked. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checker/memory.h"
#include "checker/report/report.h"
#include "checker/search/check.h"

/* Returns the probability of an error that all runs miss in 5 % of cases. */
static double seen_from(uint64_t runs)
{
    return runs ? -expm1(log(0.05) / (double)runs) : 1;
}

/* Writes a probability with one digit, rounded up: "3e-5", "0.3". */
static void probability_text(char *text, size_t size, double p)
{
    int exponent = (int)floor(log10(p));
    double digit = ceil(p / pow(10, exponent) - 1e-9);
    if (digit >= 10) {
        digit = 1;
        exponent++;
    }
    if (exponent >= -3)
        snprintf(text, size, "%g", digit * pow(10, exponent));
    else
        snprintf(text, size, "%ge%d", digit, exponent);
}

bool report_is_sampled(const struct check_result *result)
{
    bool over = result->outcome == CHECK_INCOMPLETE || result->outcome == CHECK_INTERRUPTED;
    return result->sampled.scheduler && result->sampled.runs && over && !result->found &&
           result->limit != CHECK_LIMIT_MACHINE;
}

char *report_sampled(const struct check_result *result, const char *why)
{
    const struct check_sampled *sampled = &result->sampled;
    char *line = NULL, p[32];
    size_t size;
    FILE *text = check_text_stream(&line, &size);
    fprintf(text, "no error in %" PRIu64 " run%s (seed %" PRIu64 "%s%s)", sampled->runs,
            sampled->runs == 1 ? "" : "s", sampled->seed, why ? ", " : "", why ? why : "");
    if (sampled->cut)
        fprintf(text, ", %" PRIu64 " of them not followed to an end", sampled->cut);
    probability_text(p, sizeof p, seen_from(sampled->runs));
    if (sampled->alike)
        fputs(": nothing is chosen in it, so all others are the same", text);
    else if (sampled->runs)
        fprintf(text,
                ": %" PRIu64 " different final state%s, an error that one run shows with "
                "probability p would have been seen with 95 %% if p >= %s",
                result->stats.final_states, result->stats.final_states == 1 ? "" : "s", p);
    fclose(text);
    return line;
}

/* Returns what PCT guarantees for each run: 0 if nothing. */
static double guarantee(const struct check_result *result)
{
    const struct check_sampled *sampled = &result->sampled;
    if (strcmp(sampled->scheduler, "pct") != 0 || !sampled->threads || !sampled->guarded)
        return 0;
    return pow((double)sampled->guarded, 1 - (double)sampled->pct_depth) /
           (double)sampled->threads;
}

static void tell_guarantee(FILE *out, const struct check_result *result)
{
    const struct check_sampled *sampled = &result->sampled;
    double p = guarantee(result);
    if (p <= 0)
        return;
    fprintf(out,
            "By pct, a run of at most %" PRIu64
            " steps finds an error that depends on the order "
            "of %u actions with a probability of at least 1/(%u * %" PRIu64 "^%u) = %.2g.\n",
            sampled->guarded, sampled->pct_depth, sampled->threads, sampled->guarded,
            sampled->pct_depth - 1, p);
}

void report_runs(FILE *out, const struct check_result *result)
{
    const struct check_sampled *sampled = &result->sampled;
    if (result->outcome == CHECK_ERROR) {
        fprintf(out,
                "found by run %" PRIu64 " (%s, seed %" PRIu64 "), which had %zu preemption%s",
                sampled->runs, sampled->scheduler, sampled->seed, sampled->preemptions_before,
                sampled->preemptions_before == 1 ? "" : "s");
        if (sampled->preemptions < sampled->preemptions_before)
            fprintf(out, "; the one shown has %zu", sampled->preemptions);
        if (sampled->fewest && sampled->preemptions)
            fputs(", and none has fewer", out);
        fputc('\n', out);
    } else if (sampled->runs && !sampled->alike) {
        fprintf(out,
                "Runs of up to %" PRIu32 " threads to choose from and %" PRIu64
                " steps, by %s.\n",
                sampled->threads, sampled->steps, sampled->scheduler);
        tell_guarantee(out, result);
    }
}

json_t *report_sampled_json(const struct check_result *result)
{
    const struct check_sampled *sampled = &result->sampled;
    json_t *json =
        json_pack("{s:I, s:I, s:s, s:I, s:I, s:I}", "runs", (json_int_t)sampled->runs, "seed",
                  (json_int_t)sampled->seed, "scheduler", sampled->scheduler, "cut",
                  (json_int_t)sampled->cut, "steps", (json_int_t)sampled->steps, "threads",
                  (json_int_t)sampled->threads);
    if (result->outcome == CHECK_ERROR) {
        json_object_set_new(json, "preemptions",
                            json_integer((json_int_t)sampled->preemptions));
        json_object_set_new(json, "preemptions_before",
                            json_integer((json_int_t)sampled->preemptions_before));
        json_object_set_new(json, "fewest", json_boolean(sampled->fewest));
    } else {
        json_object_set_new(json, "seen_from", json_real(seen_from(sampled->runs)));
    }
    if (guarantee(result) > 0)
        json_object_set_new(json, "guarantee", json_real(guarantee(result)));
    return json;
}
