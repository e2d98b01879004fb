/* report_json.c - the report for programs. */
#include <stdlib.h>
#include <string.h>

#include "checker/report/cex.h"
#include "checker/report/report.h"
#include "checker/search/check.h"
#include "step.h"
#include "store/store.h"
#include "vm/vm.h"

/* Bytes that are not UTF-8 become '?'. */
json_t *report_json_text(const char *text, size_t len)
{
    json_t *value = json_stringn(text, len);
    if (value)
        return value;
    char *clean = malloc(len + 1);
    if (!clean)
        return NULL;
    for (size_t i = 0; i < len; i++)
        clean[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    value = json_stringn(clean, len);
    free(clean);
    return value;
}

static json_t *string(const char *text)
{
    return text ? report_json_text(text, strlen(text)) : json_null();
}

static json_t *place_json(const struct cex_place *place)
{
    if (!place)
        return json_null();
    return json_pack("{s:o, s:o, s:i}", "function", string(place->function), "file",
                     string(place->file), "line", (int)place->line);
}

static json_t *stack_json(const struct cex_stack *stack)
{
    json_t *places = json_array();
    for (size_t i = 0; i < stack->n; i++)
        if (!stack->places[i].library)
            json_array_append_new(places, place_json(&stack->places[i]));
    return places;
}

static json_t *thread_json(const struct cex *cex, const struct cex_thread *thread)
{
    static const char *const states[] = {"ready", "waiting", "finished"};
    bool failed = cex_has_failed(cex, thread);
    json_t *holds = json_array();
    for (size_t i = 0; i < cex->nlocks; i++)
        if (cex->locks[i].tid == thread->tid)
            json_array_append_new(holds, string(cex->locks[i].object));
    bool waits = thread->state == CEX_WAITING;
    const struct cex_stack *stack = failed && cex->stack.n ? &cex->stack : &thread->stack;
    return json_pack(
        "{s:I, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "id", (json_int_t)thread->tid,
        "name", string(thread->name), "entry", string(thread->entry), "process",
        thread->process ? json_integer((json_int_t)thread->process) : json_null(), "state",
        failed ? "failed" : states[thread->state <= CEX_FINISHED ? thread->state : 0],
        "waits_to", string(waits ? vm_action_text(thread->action) : NULL), "waits_for",
        string(waits && report_has_name(thread->object) ? thread->object : NULL), "held_by",
        waits && thread->owner ? json_integer((json_int_t)thread->owner) : json_null(), "holds",
        holds, "stack", stack_json(stack));
}

static json_t *step_json(const struct step *step, bool setup)
{
    char *text = step_text(step);
    const struct cex_event *store = step->last_store;
    json_t *json =
        json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:o, "
                  "s:o, s:I, s:b, "
                  "s:o}",
                  "kind", step_kind_text(step->kind), "thread", (json_int_t)step->tid,
                  "location", place_json(step->at->line ? step->at : NULL), "operation",
                  string(*step->verb ? step->verb : NULL), "object",
                  string(*step->object ? step->object : NULL), "type",
                  string(*step->type ? step->type : NULL), "before", string(step->before),
                  "after", string(step->after), "last_stored", string(step->last),
                  "last_stored_by", store ? json_integer((json_int_t)store->tid) : json_null(),
                  "last_stored_at", place_json(store && store->at.line ? &store->at : NULL),
                  "fails", step->fails, "spurious", step->spurious, "relaxed", step->relaxed,
                  "held_by", step->owner ? json_integer((json_int_t)step->owner) : json_null(),
                  "text", string(text), "times", (json_int_t)step->times, "setup", setup,
                  "stack", step->stack ? stack_json(step->stack) : json_null());
    free(text);
    return json;
}

static json_t *steps_json(const struct cex *cex)
{
    struct steps steps;
    json_t *array = json_array();
    steps_make(&steps, cex, false);
    for (size_t i = 0; i < steps.n; i++)
        json_array_append_new(array, step_json(&steps.step[i], i < steps.setup));
    steps_fini(&steps);
    return array;
}

static json_t *loops_json(const struct cex *cex)
{
    json_t *array = json_array();
    for (size_t i = 0; i < cex->nloops; i++)
        json_array_append_new(array, json_pack("{s:I, s:o, s:o}", "thread",
                                               (json_int_t)cex->loops[i].tid, "location",
                                               place_json(cex_user_place(&cex->loops[i].stack)),
                                               "stack", stack_json(&cex->loops[i].stack)));
    return array;
}

json_t *report_error_json(const struct cex *cex)
{
    json_t *threads = json_array();
    for (size_t i = 0; i < cex->nthreads; i++)
        json_array_append_new(threads, thread_json(cex, &cex->threads[i]));
    char *headline = report_headline(cex);
    json_t *error =
        json_pack("{s:s, s:s, s:o, s:o, s:o}", "kind", vm_fault_text(cex->kind), "class",
                  check_class_name(cex->kind), "message", string(headline), "location",
                  place_json(cex_user_place(&cex->stack)), "threads", threads);
    free(headline);
    if (cex->nloops)
        json_object_set_new(error, "for_ever", loops_json(cex));
    json_object_set_new(error, "values",
                        string(cex->kind == VM_FAULT_ASSERT ? cex->values : NULL));
    json_object_set_new(error, "steps", steps_json(cex));
    const struct cex_side *other = cex_other(cex);
    if (other)
        json_object_set_new(error, "other",
                            json_pack("{s:s, s:I, s:o, s:o}", "did", other->what, "thread",
                                      (json_int_t)other->tid, "location",
                                      place_json(cex_user_place(&other->stack)), "stack",
                                      stack_json(&other->stack)));
    return error;
}

json_t *report_json(const struct check_result *result, const struct check_options *options,
                    const struct cex *cex)
{
    static const char *const verdicts[] = {
        [CHECK_OK] = "ok",
        [CHECK_ERROR] = "error",
        [CHECK_INCOMPLETE] = "incomplete",
        [CHECK_INTERRUPTED] = "incomplete",
        [CHECK_UNSUITED] = "incomplete",
        [CHECK_BROKEN] = "incomplete",
    };
    const struct check_stats *stats = &result->stats;
    json_t *root = json_pack("{s:i, s:s, s:s, s:b, s:s}", "format", REPORT_FORMAT, "version",
                             CHECK_VERSION, "verdict", verdicts[result->outcome], "complete",
                             result->outcome == CHECK_OK, "model", report_model(result->model));
    if (result->outcome == CHECK_ERROR && cex)
        json_object_set_new(root, "error", report_error_json(cex));
    char *incomplete = report_incomplete(result, options);
    if (!incomplete)
        incomplete = report_cut(result, options);
    if (incomplete)
        json_object_set_new(root, "limit", string(incomplete));
    free(incomplete);
    report_left_json(root, result, options);
    if (result->unjudged)
        json_object_set_new(root, "endless_unknown", json_true());
    const char *vacuous = report_vacuous(result);
    if (vacuous)
        json_object_set_new(root, "vacuous", json_string(vacuous));
#define CHECK_STAT(name, kind, text) \
    json_object_set_new(root, #name, json_integer((json_int_t)stats->name));
#include "checker/search/stats.def"
    if (result->bounded)
        json_object_set_new(root, "preemptions", json_integer((json_int_t)result->preemptions));
    if (result->sampled.scheduler)
        json_object_set_new(root, "sampled", report_sampled_json(result));
    json_object_set_new(root, "seconds", json_real(stats->seconds));
    json_object_set_new(root, "memory_bytes", json_integer((json_int_t)stats->peak_bytes));
    double states = stats->states ? (double)stats->states : 1;
    json_object_set_new(root, "bytes_per_state",
                        json_real((double)stats->store_bytes / states));
    double open_states = stats->open_states ? (double)stats->open_states : 1;
    json_object_set_new(root, "bytes_per_open_state",
                        json_real((double)stats->open_bytes / open_states));
    json_object_set_new(root, "workers", json_integer((json_int_t)options->workers));
    json_object_set_new(root, "omission_probability",
                        json_real(check_mistaken(result, options)));
    return root;
}
