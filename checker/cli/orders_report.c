/* orders_report.c - results of searches with other memory orders, as text and as JSON. */
#include <stdlib.h>

#include "checker/cli/orders.h"
#include "checker/memory.h"

static const char *const orders[] = {"relaxed", "consume", "acquire",     "release",
                                     "acq_rel", "seq_cst", "fence before"};
static const char *const kinds[] = {
    [VM_ORDERED_LOAD] = "load",
    [VM_ORDERED_STORE] = "store",
    [VM_ORDERED_RMW] = "read-modify-write",
    [VM_ORDERED_EXCHANGE] = "compare-exchange",
    [VM_ORDERED_FAILURE] = "failing compare-exchange",
    [VM_ORDERED_FENCE] = "fence",
};

/* Writes "q.c:31 (store) with release instead of relaxed". */
static void put_change(FILE *out, const struct order_change *change)
{
    bool off = change->at.kind == VM_ORDERED_FENCE && change->order == VM_MEMORY_RELAXED;
    fprintf(out, "%s:%u (%s) ", check_basename(change->at.file), change->at.line,
            kinds[change->at.kind]);
    if (change->order == ORDER_FENCE_BEFORE)
        fputs("with a seq_cst fence before it", out);
    else if (off)
        fprintf(out, "without it instead of %s", orders[change->at.order]);
    else
        fprintf(out, "with %s instead of %s", orders[change->order], orders[change->at.order]);
}

static void put_outcome(FILE *out, const struct order_trial *trial)
{
    switch (trial->outcome) {
    case ORDERS_NO_ERROR: fputs("no error found", out); break;
    case ORDERS_SAME_ERROR: fputs("still an error", out); break;
    case ORDERS_ERROR: fprintf(out, "an error: %s", trial->why); break;
    case ORDERS_INCOMPLETE:
        fprintf(out, "no error so far, incomplete: %s",
                trial->why ? trial->why : "interrupted");
        break;
    case ORDERS_UNKNOWN: fprintf(out, "not known: %s", trial->why); break;
    }
}

static void print_trial(FILE *out, const struct order_trial *trial)
{
    fputs("  ", out);
    for (size_t i = 0; i < trial->n && !trial->all; i++) {
        fputs(i ? ",\n    and " : "", out);
        put_change(out, &trial->changes[i]);
    }
    if (trial->all)
        fputs("with seq_cst everywhere", out);
    fputs(": ", out);
    put_outcome(out, trial);
    fputc('\n', out);
}

static void print_explained(FILE *out, const struct orders *o)
{
    bool depends = o->n && o->trials[0].outcome != ORDERS_SAME_ERROR &&
                   o->trials[0].outcome != ORDERS_ERROR;
    fprintf(out,
            "Stronger memory orders, each checked by another search (%zu of at most %zu):\n",
            o->n, o->limit);
    for (size_t i = 0; i < o->n; i++)
        print_trial(out, &o->trials[i]);
    if (!depends)
        fputs("No order would forbid the error.\n", out);
    else if (!orders_remedy(o))
        fprintf(out, "Which orders would forbid the error was not found%s.\n",
                o->cut ? " by so few searches (--explain-orders=N)" : "");
    fputc('\n', out);
}

static void print_weakened(FILE *out, const struct orders *o)
{
    fprintf(out, "Weaker memory orders, one at a time, each checked by another search (%zu):\n",
            o->n);
    for (size_t i = 0; i < o->n; i++)
        print_trial(out, &o->trials[i]);
    if (!o->n)
        fputs("  none: all are relaxed\n", out);
}

void orders_print(FILE *out, const struct orders *o)
{
    if (o->what == ORDERS_UNASKED)
        return;
    if (o->none)
        fprintf(out, "Memory orders: nothing to try: %s.\n", o->none);
    else if (o->what == ORDERS_EXPLAINED)
        print_explained(out, o);
    else
        print_weakened(out, o);
    if (!o->none && o->varying)
        fprintf(out, "Not tried: %zu of %zu orders, which are given at run time.\n", o->varying,
                o->places);
}

char *orders_text(const struct orders *o)
{
    char *text = NULL;
    size_t size;
    if (o->what == ORDERS_UNASKED)
        return NULL;
    FILE *out = check_text_stream(&text, &size);
    orders_print(out, o);
    fclose(out);
    return text;
}

static json_t *change_json(const struct order_change *change)
{
    return json_pack("{s:s, s:i, s:i, s:s, s:s, s:s}", "file", change->at.file, "line",
                     (int)change->at.line, "column", (int)change->at.column, "of",
                     kinds[change->at.kind], "is", orders[change->at.order], "tried",
                     orders[change->order]);
}

static json_t *trial_json(const struct order_trial *trial)
{
    static const char *const outcomes[] = {
        [ORDERS_NO_ERROR] = "ok",      [ORDERS_INCOMPLETE] = "incomplete",
        [ORDERS_SAME_ERROR] = "error", [ORDERS_ERROR] = "other error",
        [ORDERS_UNKNOWN] = "unknown",
    };
    json_t *changes = json_array();
    for (size_t i = 0; i < trial->n; i++)
        json_array_append_new(changes, change_json(&trial->changes[i]));
    json_t *one =
        json_pack("{s:s, s:o}", "verdict", outcomes[trial->outcome], "changes", changes);
    if (trial->why)
        json_object_set_new(one, "why", json_string(trial->why));
    return one;
}

json_t *orders_json(const struct orders *o)
{
    static const char *const names[] = {"", "explained", "weakened"};
    if (o->what == ORDERS_UNASKED)
        return NULL;
    json_t *trials = json_array();
    for (size_t i = 0; i < o->n; i++)
        json_array_append_new(trials, trial_json(&o->trials[i]));
    json_t *root =
        json_pack("{s:s, s:b, s:i, s:i, s:o}", "what", names[o->what], "cut", o->cut, "places",
                  (int)o->places, "varying", (int)o->varying, "searches", trials);
    if (o->none)
        json_object_set_new(root, "none", json_string(o->none));
    return root;
}

static void put_remedy(FILE *out, const struct order_change *change)
{
    if (change->order == ORDER_FENCE_BEFORE)
        fputs("a seq_cst fence before ", out);
    else
        fprintf(out, "%s at ", orders[change->order]);
    fprintf(out, "%s:%u", check_basename(change->at.file), change->at.line);
}

char *orders_verdict(const struct orders *o)
{
    const struct order_trial *remedy = orders_remedy(o);
    char *text;
    size_t size;
    if (o->what == ORDERS_WEAKENED && !o->none)
        return check_format("%zu of %zu weaker orders give no error", orders_spare(o), o->n);
    if (!remedy)
        return NULL;
    FILE *out = check_text_stream(&text, &size);
    fputs("no error with ", out);
    for (size_t i = 0; i < remedy->n; i++) {
        fputs(i ? " and " : "", out);
        put_remedy(out, &remedy->changes[i]);
    }
    fclose(out);
    return text;
}
