/* orders.c - see orders.h. */
#include "checker/cli/orders.h"

#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/build/limits.h"
#include "checker/cli/verification.h"
#include "checker/memory.h"
#include "checker/report/report.h"
#include "checker/search/apart.h"

void orders_fini(struct orders *orders)
{
    for (size_t i = 0; i < orders->n; i++) {
        free(orders->trials[i].changes);
        free(orders->trials[i].why);
    }
    free(orders->trials);
}

const struct order_trial *orders_remedy(const struct orders *orders)
{
    const struct order_trial *found = NULL;
    if (orders->what != ORDERS_EXPLAINED)
        return NULL;
    for (size_t i = 0; i < orders->n; i++) {
        const struct order_trial *one = &orders->trials[i];
        if (one->outcome == ORDERS_NO_ERROR && !one->all && (!found || one->n <= found->n) &&
            !(found && found->n == 1))
            found = one;
    }
    return found;
}

size_t orders_spare(const struct orders *orders)
{
    size_t n = 0;
    for (size_t i = 0; i < orders->n; i++)
        n += orders->trials[i].outcome == ORDERS_NO_ERROR;
    return n;
}

bool orders_go_on(struct order_series *series)
{
    struct orders *out = series->out;
    if (build_limits.end != APART_DONE)
        return false;
    bool more = !out->limit || out->n < out->limit;
    out->cut = out->cut || !more;
    return more;
}

static bool is_same(const struct cex *a, const struct cex *b)
{
    char *first = report_headline(a), *second = report_headline(b);
    bool same = !strcmp(first, second) || cex_is_same_error(a, b);
    free(first);
    free(second);
    return same;
}

/* Judges a search, compared with the first one. */
static void judge(const struct order_series *series, const struct verification *v,
                  struct order_trial *trial)
{
    const struct verification *first = series->first;
    bool weak = vm_model(series->program, &v->result.machine) == VM_MODEL_C11;
    switch (v->result.outcome) {
    case CHECK_OK:
        trial->outcome =
            weak || first->result.outcome == CHECK_ERROR ? ORDERS_NO_ERROR : ORDERS_UNKNOWN;
        if (trial->outcome == ORDERS_UNKNOWN)
            trial->why = check_strdup("it was searched under sequential consistency");
        break;
    case CHECK_ERROR:
        trial->outcome = first->result.outcome == CHECK_ERROR && is_same(&first->cex, &v->cex)
                             ? ORDERS_SAME_ERROR
                             : ORDERS_ERROR;
        trial->why = report_headline(&v->cex);
        break;
    case CHECK_INCOMPLETE:
    case CHECK_INTERRUPTED:
    case CHECK_UNSUITED:
    case CHECK_BROKEN:
        trial->outcome = ORDERS_INCOMPLETE;
        trial->why = report_incomplete(&v->result, &v->options);
        break;
    }
}

enum order_outcome orders_search(struct order_series *series, const size_t *k, const int *order,
                                 size_t n)
{
    struct orders *out = series->out;
    struct order_trial trial = {.changes = check_zeros(n + 1, sizeof *trial.changes), .n = n};
    struct verification v = {.options = series->options};
    for (size_t i = 0; i < n; i++) {
        trial.changes[i] = (struct order_change){series->at[k[i]], order[i]};
        if (order[i] == ORDER_FENCE_BEFORE)
            vm_orders_fence(series->all, k[i], true);
        else
            vm_orders_set(series->all, k[i], (enum vm_memory_order)order[i]);
    }
    verify_again(series->cli, series->program, &v);
    judge(series, &v, &trial);
    if (build_limits.end == APART_DONE) /* else its threads may still use the program */
        vm_orders_reset(series->all);
    verify_fini(&v);
    ARRAY_PUSH(out->trials, out->n, out->max, trial);
    return trial.outcome;
}

static const char *why_not(const struct order_series *series)
{
    const struct check_result *result = &series->first->result;
    bool explain = series->out->what == ORDERS_EXPLAINED;
    if (!series->n)
        return "the program's own code gives no memory orders";
    if (explain && !result->weak)
        return "every order is seq_cst already";
    if (series->out->places == series->out->varying)
        return "all orders are given at run time";
    return NULL;
}

/* Returns the time for each search: if none is given, a program that has no error any more
 * might take for ever. */
static double time_for_each(const struct cli *cli, const struct verification *v)
{
    enum { LEAST = 10, TIMES = 10 };
    double given = cli->value[OPT_MAX_TIME].number, first = TIMES * v->result.stats.seconds;
    if (given > 0 || !cli->value[OPT_EXPLAIN_ORDERS].number)
        return given;
    return first > LEAST ? first : LEAST;
}

void orders_try(struct cli *cli, struct vm_program *program, struct verification *v)
{
    bool failed = v->result.outcome == CHECK_ERROR;
    double most = cli->value[OPT_EXPLAIN_ORDERS].number;
    struct order_series series = {
        .cli = cli, .program = program, .first = v, .out = &v->orders};
    if (build_limits.end != APART_DONE ||
        !(failed ? most > 0 : cli->value[OPT_WEAKEN].number) ||
        !(failed || v->result.outcome == CHECK_OK))
        return;
    v->orders.what = failed ? ORDERS_EXPLAINED : ORDERS_WEAKENED;
    v->orders.limit = failed ? (size_t)most : 0;
    series.options = v->options;
    series.options.all_errors = false;
    series.options.saving = NULL;
    series.options.machine.covered = NULL; /* another program */
    series.options.encounters = NULL;
    series.options.deadline = 0;
    series.options.max_seconds = time_for_each(cli, v);
    series.all = vm_orders_open(program);
    series.at = vm_orders_list(series.all, &series.n);
    v->orders.places = series.n;
    for (size_t i = 0; i < series.n; i++)
        v->orders.varying += series.at[i].varies;
    v->orders.none = why_not(&series);
    if (!v->orders.none)
        (failed ? orders_explain : orders_weaken)(&series);
    if (build_limits.end == APART_DONE)
        vm_orders_close(series.all);
}
