/* witness.c - violation witnesses as YAML, format 2.0, and 2.2 where there are threads.
 *
 * (Ayaziová et al., "Software Verification Witnesses 2.0", SPIN 2024.)  An entry is a sequence
 * of segments, each with one waypoint to be followed: "function_enter" where a thread makes
 * another one, "assumption" of 1 where a thread comes to a line, and "target" where the error
 * is; both targets of a data race are in one segment.  Format 2.2 adds thread_id: 0 is the
 * thread of main, and each function_enter that makes a thread gives it the next number.
 *
 * A waypoint holds where a thread comes to a statement: of steps of one thread in the same line
 * that follow each other only the first is told, so that no second visit is asked for where
 * there may be none.  What is left out constrains nothing, and the way stays one of those that
 * the witness describes. */
#include "witness.h"

#include <limits.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checker/array.h"
#include "checker/report/places.h"
#include "checker/report/step.h"
#include "checker/search/check.h"
#include "vm/vm.h"

#define PROPERTY(text) "CHECK( init(main()), LTL(G " text ") )"

static const char *const properties[VM_FAULT_COUNT] = {
    [VM_FAULT_ASSERT] = PROPERTY("! call(reach_error())"),
    [VM_FAULT_ABORT] = PROPERTY("! call(reach_error())"),
    [VM_FAULT_RACE] = PROPERTY("! data-race"),
    [VM_FAULT_OVERFLOW] = PROPERTY("! overflow"),
    [VM_FAULT_NULL] = PROPERTY("valid-deref"),
    [VM_FAULT_BOUNDS] = PROPERTY("valid-deref"),
    [VM_FAULT_USE_AFTER_FREE] = PROPERTY("valid-deref"),
    [VM_FAULT_FREE_RACE] = PROPERTY("valid-deref"),
    [VM_FAULT_END_RACE] = PROPERTY("valid-deref"),
    [VM_FAULT_OUTLIVED] = PROPERTY("valid-deref"),
    [VM_FAULT_INVALID_POINTER] = PROPERTY("valid-deref"),
    [VM_FAULT_PROTECTED] = PROPERTY("valid-deref"),
    [VM_FAULT_INVALID_FREE] = PROPERTY("valid-free"),
    [VM_FAULT_DOUBLE_FREE] = PROPERTY("valid-free"),
    [VM_FAULT_LEAK] = PROPERTY("valid-memcleanup"),
};

const char *witness_property(enum vm_fault_kind kind)
{
    return properties[kind];
}

/* ---- nodes ----------------------------------------------------------------------- */

static int must(int node)
{
    if (!node)
        vm_exhausted();
    return node;
}

static int scalar(struct witness *w, const char *text, yaml_scalar_style_t style)
{
    return must(yaml_document_add_scalar(&w->document, NULL, (const yaml_char_t *)text,
                                         (int)strlen(text), style));
}

static int mapping(struct witness *w)
{
    return must(yaml_document_add_mapping(&w->document, NULL, YAML_BLOCK_MAPPING_STYLE));
}

static int sequence(struct witness *w)
{
    return must(yaml_document_add_sequence(&w->document, NULL, YAML_BLOCK_SEQUENCE_STYLE));
}

static void append(struct witness *w, int list, int node)
{
    must(yaml_document_append_sequence_item(&w->document, list, node));
}

static void put(struct witness *w, int map, const char *name, int node)
{
    int key = scalar(w, name, YAML_ANY_SCALAR_STYLE);
    must(yaml_document_append_mapping_pair(&w->document, map, key, node));
}

static void put_text(struct witness *w, int map, const char *name, const char *text)
{
    put(w, map, name, scalar(w, text, YAML_DOUBLE_QUOTED_SCALAR_STYLE));
}

static void put_word(struct witness *w, int map, const char *name, const char *word)
{
    put(w, map, name, scalar(w, word, YAML_PLAIN_SCALAR_STYLE));
}

static void put_number(struct witness *w, int map, const char *name, uintmax_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%ju", number);
    put_word(w, map, name, text);
}

/* ---- metadata -------------------------------------------------------------------- */

/* Writes a random UUID: version 4 of RFC 9562. */
static void put_uuid(struct witness *w, int map)
{
    unsigned char b[16];
    char text[40];
    arc4random_buf(b, sizeof b);
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    char *at = text;
    for (size_t i = 0; i < sizeof b; i++)
        at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
    put_text(w, map, "uuid", text);
}

static void put_time(struct witness *w, int map)
{
    time_t now = time(NULL);
    struct tm utc;
    char text[32];
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    put_text(w, map, "creation_time", text);
}

/* Returns a file's name as locations have it. */
static char *file_name(const char *file)
{
    char whole[PATH_MAX];
    return places_name(realpath(file, whole) ? whole : file);
}

static bool is_cxx(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && strcmp(dot, ".c") != 0 && strcmp(dot, ".i") != 0 && strchr("cCi", dot[1]);
}

static void put_task(struct witness *w, int metadata, const struct strings *files,
                     const char *property)
{
    int task = mapping(w), names = sequence(w), hashes = mapping(w);
    bool cxx = false;
    for (size_t i = 0; i < files->n; i++) {
        char *name = file_name(files->at[i]), hash[SHA256_DIGEST_STRING_LENGTH];
        append(w, names, scalar(w, name, YAML_DOUBLE_QUOTED_SCALAR_STYLE));
        if (SHA256File(files->at[i], hash))
            put_text(w, hashes, name, hash);
        cxx = cxx || is_cxx(name);
        free(name);
    }
    put(w, task, "input_files", names);
    put(w, task, "input_file_hashes", hashes);
    put_text(w, task, "specification", property);
    put_text(w, task, "data_model", "LP64");
    put_text(w, task, "language", cxx ? "C++" : "C");
    put(w, metadata, "task", task);
}

static int metadata(struct witness *w, const struct strings *files, const char *property,
                    bool threads)
{
    int map = mapping(w), producer = mapping(w);
    put_text(w, map, "format_version", threads ? "2.2" : "2.0");
    put_uuid(w, map);
    put_time(w, map);
    put_text(w, producer, "name", "divm");
    put_text(w, producer, "version", CHECK_VERSION);
    put(w, map, "producer", producer);
    put_task(w, map, files, property);
    return map;
}

/* ---- waypoints ------------------------------------------------------------------- */

struct path {
    struct witness *witness;
    int content;    /* the list of segments */
    uint64_t *tids; /* index: the thread_id */
    size_t n, max;
    bool threads; /* there are several, so that waypoints tell which */
};

static size_t thread_id(struct path *path, uint64_t tid)
{
    for (size_t i = 0; i < path->n; i++)
        if (path->tids[i] == tid)
            return i;
    ARRAY_PUSH(path->tids, path->n, path->max, tid);
    return path->n - 1;
}

static int location(struct witness *w, const struct cex_place *place)
{
    int map = mapping(w);
    char *name = file_name(place->file);
    put_text(w, map, "file_name", name);
    put_number(w, map, "line", place->line);
    put_text(w, map, "function", place->function);
    free(name);
    return map;
}

static void add_waypoint(struct path *path, int segment, const char *type, uint64_t tid,
                         const struct cex_place *place)
{
    struct witness *w = path->witness;
    int item = mapping(w), waypoint = mapping(w);
    put_word(w, waypoint, "type", type);
    put_word(w, waypoint, "action", "follow");
    if (path->threads)
        put_number(w, waypoint, "thread_id", thread_id(path, tid));
    if (!strcmp(type, "assumption")) {
        int constraint = mapping(w);
        put_text(w, constraint, "value", "1");
        put_word(w, constraint, "format", "c_expression");
        put(w, waypoint, "constraint", constraint);
    }
    put(w, waypoint, "location", location(w, place));
    put(w, item, "waypoint", waypoint);
    append(w, segment, item);
}

static int add_segment(struct path *path)
{
    struct witness *w = path->witness;
    int map = mapping(w), list = sequence(w);
    put(w, map, "segment", list);
    append(w, path->content, map);
    return list;
}

static bool is_same_line(const struct cex_place *a, const struct cex_place *b)
{
    return a->line == b->line && !strcmp(a->file, b->file);
}

/* Was the thread's last step in the same line? */
static bool stays(const struct steps *steps, size_t i)
{
    const struct step *step = &steps->step[i];
    for (size_t k = i; k-- > 0;)
        if (steps->step[k].tid == step->tid && steps->step[k].at->line)
            return is_same_line(steps->step[k].at, step->at);
    return false;
}

/* Returns the number of the thread that a step makes, 0 if it makes none. */
static uint64_t made_by(const struct step *step)
{
    unsigned long long tid = 0;
    if (step->kind == STEP_ACTION && step->action == VM_ACT_CREATE)
        (void)sscanf(step->object, "thread %llu", &tid);
    return tid;
}

static void add_step(struct path *path, const struct steps *steps, size_t i)
{
    const struct step *step = &steps->step[i];
    uint64_t made = made_by(step);
    if (!step->at->line || !step->tid || step->kind == STEP_ERROR || step->kind == STEP_CAUSE ||
        step->kind == STEP_BLOCKED)
        return;
    if (made) {
        add_waypoint(path, add_segment(path), "function_enter", step->tid, step->at);
        thread_id(path, made);
    } else if (!stays(steps, i)) {
        add_waypoint(path, add_segment(path), "assumption", step->tid, step->at);
    }
}

/* Returns where it went wrong; NULL: where main has returned. */
static const struct cex_place *target_of(const struct cex *cex)
{
    const struct cex_place *place = cex_user_place(&cex->stack);
    const struct cex_side *made = place ? NULL : cex_allocation(cex);
    return made ? cex_user_place(&made->stack) : place;
}

static void add_target(struct path *path, const struct cex *cex)
{
    const struct cex_place *place = target_of(cex);
    const struct cex_side *other = cex->kind == VM_FAULT_RACE ? cex_other(cex) : NULL;
    const struct cex_place *there = other ? cex_user_place(&other->stack) : NULL;
    if (!place)
        return;
    int segment = add_segment(path);
    if (there)
        add_waypoint(path, segment, "target", other->tid, there);
    add_waypoint(path, segment, "target", cex->tid, place);
}

static bool has_threads(const struct steps *steps)
{
    for (size_t i = 0; i < steps->n; i++)
        if (made_by(&steps->step[i]))
            return true;
    return false;
}

static int content(struct witness *w, const struct cex *cex, bool *threads)
{
    struct steps steps;
    struct path path = {.witness = w, .content = sequence(w)};
    steps_make(&steps, cex, false);
    path.threads = *threads = has_threads(&steps);
    thread_id(&path, 1);
    for (size_t i = 0; i < steps.n; i++)
        add_step(&path, &steps, i);
    add_target(&path, cex);
    steps_fini(&steps);
    free(path.tids);
    return path.content;
}

void witness_add(struct witness *witness, const struct strings *files, const struct cex *cex)
{
    bool threads;
    int entry = mapping(witness), list = content(witness, cex, &threads);
    put_word(witness, entry, "entry_type", "violation_sequence");
    put(witness, entry, "metadata",
        metadata(witness, files, witness_property(cex->kind), threads));
    put(witness, entry, "content", list);
    append(witness, witness->entries, entry);
}

/* ---- the document ---------------------------------------------------------------- */

void witness_open(struct witness *witness)
{
    must(yaml_document_initialize(&witness->document, NULL, NULL, NULL, 1, 1));
    witness->entries = sequence(witness);
}

static int write_part(void *context, unsigned char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, context) == n;
}

char *witness_close(struct witness *witness)
{
    char *text = NULL;
    size_t size;
    FILE *out = check_text_stream(&text, &size);
    yaml_emitter_t emitter;
    must(yaml_emitter_initialize(&emitter));
    yaml_emitter_set_output(&emitter, write_part, out);
    yaml_emitter_set_unicode(&emitter, 1);
    yaml_emitter_set_width(&emitter, -1);
    must(yaml_emitter_open(&emitter));
    must(yaml_emitter_dump(&emitter, &witness->document)); /* which it deletes */
    must(yaml_emitter_close(&emitter));
    yaml_emitter_delete(&emitter);
    fclose(out);
    return text;
}
