/* sarif.c - a report of one run in the OASIS standard SARIF 2.1.0.
 *
 * An error is a result: its locations say where, its related locations what it goes back to,
 * and its code flow has a thread flow for each thread, whose locations have the numbers of the
 * table's rows as executionOrder. */
#include "sarif.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/memory.h"
#include "checker/report/places.h"
#include "checker/report/report.h"
#include "checker/report/step.h"
#include "vm/vm.h"

#define SCHEMA                                                            \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/" \
    "sarif-schema-2.1.0.json"
#define ROOT "%SRCROOT%"

static json_t *string(const char *text)
{
    return report_json_text(text, strlen(text));
}

/* Returns { "text": text }. */
static json_t *message(const char *text)
{
    return json_pack("{s:o}", "text", string(text));
}

/* ---- places ---------------------------------------------------------------------- */

/* Returns a URI: all but what RFC 3986 leaves alone is escaped. */
static char *uri(const char *before, const char *path, const char *after)
{
    char *line = NULL;
    size_t size;
    FILE *text = check_text_stream(&line, &size);
    fputs(before, text);
    for (const char *c = path; *c; c++)
        if (isalnum((unsigned char)*c) || strchr("-._~/", *c))
            fputc(*c, text);
        else
            fprintf(text, "%%%02X", (unsigned char)*c);
    fputs(after, text);
    fclose(text);
    return line;
}

static json_t *artifact(const char *file)
{
    char *name = places_name(file);
    bool below = *name != '/';
    char *text = uri(below ? "" : "file://", name, "");
    json_t *json = json_pack("{s:o}", "uri", string(text));
    if (below)
        json_object_set_new(json, "uriBaseId", json_string(ROOT));
    free(name);
    free(text);
    return json;
}

/* Returns a location.  place: NULL if it is in no file; text: what there is to say of it, or
 * NULL. */
static json_t *location(const struct cex_place *place, const char *text)
{
    json_t *json = json_object();
    if (place && place->line)
        json_object_set_new(json, "physicalLocation",
                            json_pack("{s:o, s:{s:i}}", "artifactLocation",
                                      artifact(place->file), "region", "startLine",
                                      (int)place->line));
    if (place && place->function && *place->function)
        json_object_set_new(json, "logicalLocations",
                            json_pack("[{s:o, s:s}]", "fullyQualifiedName",
                                      string(place->function), "kind", "function"));
    if (text)
        json_object_set_new(json, "message", message(text));
    return json;
}

/* Returns a stack; NULL if nothing of it is the program's own. */
static json_t *stack_json(const struct cex_stack *stack, const char *name)
{
    json_t *frames = json_array();
    for (size_t i = 0; i < stack->n; i++)
        if (!stack->places[i].library)
            json_array_append_new(
                frames, json_pack("{s:o}", "location", location(&stack->places[i], NULL)));
    if (json_array_size(frames))
        return json_pack("{s:o, s:o}", "message", message(name), "frames", frames);
    json_decref(frames);
    return NULL;
}

static char *thread_name(const struct cex *cex, uint64_t tid)
{
    char name[128] = "";
    const struct cex_thread *thread = cex_thread(cex, tid);
    if (thread)
        report_thread_name(name, sizeof name, thread);
    return check_strdup(name);
}

/* ---- steps ----------------------------------------------------------------------- */

static const char *const kinds[VM_ACT_COUNT][2] = {
    [VM_ACT_LOAD] = {"memory"},
    [VM_ACT_STORE] = {"memory"},
    [VM_ACT_READ] = {"memory"},
    [VM_ACT_WRITE] = {"memory"},
    [VM_ACT_DRAIN] = {"memory"},
    [VM_ACT_RMW] = {"memory"},
    [VM_ACT_CMPXCHG] = {"memory"},
    [VM_ACT_LOCK] = {"acquire", "lock"},
    [VM_ACT_TRYLOCK] = {"acquire", "lock"},
    [VM_ACT_TIMEDLOCK] = {"acquire", "lock"},
    [VM_ACT_RDLOCK] = {"acquire", "lock"},
    [VM_ACT_WRLOCK] = {"acquire", "lock"},
    [VM_ACT_COND_WAKE] = {"acquire", "lock"},
    [VM_ACT_UNLOCK] = {"release", "lock"},
    [VM_ACT_RWUNLOCK] = {"release", "lock"},
    [VM_ACT_SEM_WAIT] = {"acquire", "resource"},
    [VM_ACT_SEM_TRYWAIT] = {"acquire", "resource"},
    [VM_ACT_SEM_POST] = {"release", "resource"},
};

/* Returns the sort of a step in the standard's words; NULL: none of those. */
static json_t *kinds_of(const struct step *step)
{
    if (step->kind == STEP_ERROR)
        return json_pack("[s]", "danger");
    if (step->kind == STEP_CAUSE)
        return json_pack("[s]", "memory");
    const char *const *kind = kinds[step->action];
    if (!kind[0])
        return NULL;
    return kind[1] ? json_pack("[s, s]", kind[0], kind[1]) : json_pack("[s]", kind[0]);
}

static const char *importance(const struct step *step, bool setup)
{
    bool essential =
        step->kind == STEP_CAUSE || step->kind == STEP_BLOCKED || step->kind == STEP_ERROR;
    return essential ? "essential" : setup ? "unimportant" : "important";
}

static json_t *step_json(const struct steps *steps, size_t i, const char *thread)
{
    const struct step *step = &steps->step[i];
    const char *value = step->after ? step->after : step->before;
    char *text = step_text(step);
    json_t *json =
        json_pack("{s:i, s:o, s:s}", "executionOrder", (int)i + 1, "location",
                  location(step->at, text), "importance", importance(step, i < steps->setup));
    json_t *kind = kinds_of(step);
    json_t *stack = step->stack ? stack_json(step->stack, thread) : NULL;
    if (kind)
        json_object_set_new(json, "kinds", kind);
    if (value && *step->object) {
        json_t *state = json_object();
        json_t *name = string(step->object);
        json_object_set_new(state, json_string_value(name), message(value));
        json_object_set_new(json, "state", state);
        json_decref(name);
    }
    if (stack)
        json_object_set_new(json, "stack", stack);
    free(text);
    return json;
}

static json_t *thread_flow(const struct cex *cex, const struct steps *steps, uint64_t tid)
{
    char *name = thread_name(cex, tid), id[32];
    json_t *locations = json_array();
    for (size_t i = 0; i < steps->n; i++)
        if (steps->step[i].tid == tid)
            json_array_append_new(locations, step_json(steps, i, name));
    snprintf(id, sizeof id, "%ju", (uintmax_t)tid);
    json_t *json = json_pack("{s:s, s:o, s:o}", "id", id, "message", message(name), "locations",
                             locations);
    free(name);
    return json;
}

static bool has_steps(const struct steps *steps, uint64_t tid)
{
    for (size_t i = 0; i < steps->n; i++)
        if (steps->step[i].tid == tid)
            return true;
    return false;
}

/* Returns a thread flow for each thread that has done anything, in the order of their numbers;
 * NULL: none has. */
static json_t *code_flows(const struct cex *cex)
{
    struct steps steps;
    uint64_t last = 0;
    json_t *flows = json_array();
    steps_make(&steps, cex, false);
    for (size_t i = 0; i < steps.n; i++)
        last = steps.step[i].tid > last ? steps.step[i].tid : last;
    for (uint64_t tid = 0; tid <= last; tid++)
        if (has_steps(&steps, tid))
            json_array_append_new(flows, thread_flow(cex, &steps, tid));
    steps_fini(&steps);
    if (json_array_size(flows))
        return json_pack("[{s:o}]", "threadFlows", flows);
    json_decref(flows);
    return NULL;
}

/* ---- results --------------------------------------------------------------------- */

static char *rule_id(enum vm_fault_kind kind)
{
    char *id = check_strdup(vm_fault_text(kind));
    for (char *c = id; *c; c++)
        *c = *c == ' ' ? '-' : *c;
    return id;
}

/* Returns the index of an error's rule among the rules, to which it is added. */
static int rule_of(struct sarif *sarif, const char *id, enum vm_fault_kind kind)
{
    json_t *rule;
    size_t i;
    json_array_foreach(
        sarif->rules, i,
        rule) if (!strcmp(json_string_value(json_object_get(rule, "id")), id)) return (int)i;
    json_array_append_new(
        sarif->rules, json_pack("{s:s, s:o, s:{s:s}, s:{s:s}}", "id", id, "shortDescription",
                                message(vm_fault_text(kind)), "defaultConfiguration", "level",
                                "error", "properties", "class", check_class_name(kind)));
    return (int)i;
}

/* Returns the place of an error; if it has none, that of what led to it. */
static const struct cex_place *place_of(const struct cex *cex)
{
    const struct cex_place *place = cex_user_place(&cex->stack);
    for (size_t i = cex->nsides; !place && i-- > 0;)
        place = cex_user_place(&cex->sides[i].stack);
    for (size_t i = 0; !place && i < cex->nthreads; i++)
        place = cex_user_place(&cex->threads[i].stack);
    return place;
}

/* Returns the causes of the error. */
static json_t *related(const struct cex *cex)
{
    json_t *list = json_array();
    for (size_t i = 0; i < cex->nsides; i++) {
        const struct cex_side *side = &cex->sides[i];
        char *name = thread_name(cex, side->tid);
        char *text = check_format("%s: %s", name, side->what);
        json_t *json = location(cex_user_place(&side->stack), text);
        json_object_set_new(json, "id", json_integer((json_int_t)i + 1));
        json_array_append_new(list, json);
        free(text);
        free(name);
    }
    return list;
}

static json_t *stacks_json(const struct cex *cex)
{
    json_t *list = json_array();
    for (size_t i = 0; i < cex->nthreads; i++) {
        const struct cex_thread *thread = &cex->threads[i];
        bool failed = cex_has_failed(cex, thread) && cex->stack.n;
        char *name = thread_name(cex, thread->tid);
        json_t *stack = stack_json(failed ? &cex->stack : &thread->stack, name);
        if (stack)
            json_array_append_new(list, stack);
        free(name);
    }
    return list;
}

/* Returns what stays the same when lines move: the kind, and the functions that take part. */
static char *fingerprint(const struct cex *cex, const char *id, const char *name)
{
    const struct cex_place *place = place_of(cex);
    const struct cex_side *other = cex_other(cex);
    const struct cex_place *there = other ? cex_user_place(&other->stack) : NULL;
    return check_format("%s|%s|%s|%s|%s", id, name ? name : "",
                        place ? check_basename(place->file) : "", place ? place->function : "",
                        there ? there->function : "");
}

void sarif_add(struct sarif *sarif, const char *name, const struct cex *cex)
{
    char *id = rule_id(cex->kind), *headline = report_headline(cex);
    char *text = check_format("%s%s%s", name ? name : "", name ? ": " : "", headline);
    char *print = fingerprint(cex, id, name);
    json_t *flows = code_flows(cex);
    json_t *result = json_pack(
        "{s:s, s:i, s:s, s:o, s:[o], s:o, s:o, s:{s:o}}", "ruleId", id, "ruleIndex",
        rule_of(sarif, id, cex->kind), "level", "error", "message", message(text), "locations",
        location(place_of(cex), NULL), "relatedLocations", related(cex), "stacks",
        stacks_json(cex), "partialFingerprints", "kindAndFunctions/v1", string(print));
    if (flows)
        json_object_set_new(result, "codeFlows", flows);
    json_array_append_new(sarif->results, result);
    free(id);
    free(headline);
    free(text);
    free(print);
}

void sarif_notify(struct sarif *sarif, const char *level, const char *name, const char *text)
{
    char *line = check_format("%s%s%s", name ? name : "", name ? ": " : "", text);
    json_array_append_new(sarif->notifications,
                          json_pack("{s:s, s:o}", "level", level, "message", message(line)));
    free(line);
}

/* ---- the document ---------------------------------------------------------------- */

void sarif_open(struct sarif *sarif)
{
    *sarif = (struct sarif){json_array(), json_array(), json_array()};
}

char *sarif_close(struct sarif *sarif, int status)
{
    char *here = places_here(), *folder = uri("file://", here, "/");
    json_t *driver = json_pack("{s:s, s:s, s:o}", "name", "divm", "version", CHECK_VERSION,
                               "rules", sarif->rules);
    json_t *invocation =
        json_pack("{s:b, s:i, s:o}", "executionSuccessful",
                  status != CHECK_EXIT_INTERNAL && status != CHECK_EXIT_REFUSED, "exitCode",
                  status, "toolExecutionNotifications", sarif->notifications);
    json_t *run = json_pack("{s:{s:o}, s:[o], s:{s:{s:o}}, s:o}", "tool", "driver", driver,
                            "invocations", invocation, "originalUriBaseIds", ROOT, "uri",
                            string(folder), "results", sarif->results);
    json_t *root =
        json_pack("{s:s, s:s, s:[o]}", "$schema", SCHEMA, "version", "2.1.0", "runs", run);
    char *text = check_memory(json_dumps(root, JSON_INDENT(1)));
    json_decref(root);
    free(here);
    free(folder);
    *sarif = (struct sarif){0};
    return text;
}
