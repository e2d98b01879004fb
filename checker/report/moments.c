/* moments.c - see moments.h.
 *
 * The path is executed once more, with a second counterexample made on the way, so that objects
 * are numbered as in the first.  The moment of a step is when its thread has run on to where it
 * stops next, or, where another step comes before that, when the step itself is done: so what
 * is different from the moment before was done by the thread of the step. */
#include "moments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "report.h"

enum { MAX_THREADS = 64, MAX_NAME = 256 };

struct recorder {
    struct cex cex; /* of this replay */
    const struct steps *steps;
    uint64_t events; /* so many there will be */
    size_t next;     /* step */
    size_t waiting;  /* so many before it wait for a later look */
    json_t *now;     /* what they will be told of if there is none */
    json_t *told;    /* the last moment that was told */
    json_t *wrong;   /* that of a fault, before the kernel deals with it; or NULL */
    struct strings files;
    json_t *moments, *names;
    json_t *joining; /* by thread: the stack and its variables as they were when it joined
                        another */
    /* of the moment that is looked at: */
    json_t *objects;
    uint64_t *queue;
    size_t nqueue, max_queue;
    size_t cut;
};

static json_t *text(const char *s)
{
    char *plain = cex_demangle(s);
    json_t *value = report_json_text(plain, strlen(plain));
    free(plain);
    return value;
}

static const char *key_of(uint64_t addr, char *key, size_t size)
{
    snprintf(key, size, "%" PRIx64, (addr + 0x80000000u) >> 32);
    return key;
}

/* ---- objects --------------------------------------------------------------------- */

static void want(struct recorder *r, uint64_t addr)
{
    ARRAY_PUSH(r->queue, r->nqueue, r->max_queue, addr);
}

struct looking {
    struct recorder *recorder;
    json_t *parts;
};

static json_t *value_of(struct recorder *r, const struct vm_view_part *part)
{
    char key[32];
    if (!part->target)
        return part->text ? text(part->text) : json_null();
    want(r, part->target);
    return json_pack("[s, i]", key_of(part->target, key, sizeof key),
                     (int)(int32_t)part->target);
}

static void see_part(void *context, const struct vm_view_part *part)
{
    struct looking *looking = context;
    char type[MAX_NAME];
    json_t *value = value_of(looking->recorder, part);
    vm_type_text(part->type, type, sizeof type);
    json_array_append_new(looking->parts, json_pack("[o, o, i, o]", text(part->path),
                                                    text(type), (int)part->offset, value));
}

static void look_at(struct recorder *r, uint64_t addr)
{
    static const char *const kinds[] = {"global", "local", "heap"};
    struct vm_view_object view;
    struct looking looking = {r, NULL};
    char key[32], type[MAX_NAME];
    key_of(addr, key, sizeof key);
    if (json_object_get(r->objects, key) || !vm_view_object(r->cex.vm, addr, &view))
        return;
    if (json_object_size(r->objects) == MOMENTS_OBJECTS) {
        r->cut++;
        return;
    }
    looking.parts = json_array();
    size_t n = vm_view_parts(r->cex.vm, &view, MOMENTS_PARTS, see_part, &looking);
    vm_type_text(view.type, type, sizeof type);
    json_t *object = json_pack("{s:s, s:o, s:i, s:o}", "kind", kinds[view.kind], "type",
                               text(type), "size", (int)view.size, "parts", looking.parts);
    if (n > MOMENTS_PARTS)
        json_object_set_new(object, "cut", json_integer((json_int_t)(n - MOMENTS_PARTS)));
    json_object_set_new(r->objects, key, object);
    if (!json_object_get(r->names, key))
        json_object_set_new(r->names, key, json_integer((json_int_t)view.addr));
}

static void see_object(void *context, const char *name, uint64_t addr)
{
    (void)name;
    want(context, addr);
}

/* Wants the objects that were told once, for as long as they exist, even if nothing leads to
 * them any more. */
static void want_told(struct recorder *r)
{
    json_t *objects = json_object_get(r->told, "objects"), *object;
    const char *key;
    json_object_foreach(objects, key, object)
    {
        if (!strcmp(json_string_value(json_object_get(object, "kind")), "heap"))
            want(r, strtoull(key, NULL, 16) << 32);
    }
}

/* ---- threads --------------------------------------------------------------------- */

static size_t file_index(struct recorder *r, const char *file)
{
    size_t k = 0;
    while (k < r->files.n && strcmp(r->files.at[k], file) != 0)
        k++;
    if (k == r->files.n)
        strings_add(&r->files, file);
    return k;
}

struct frame {
    struct recorder *recorder;
    json_t *variables;
};

static void see_local(void *context, const char *name, uint64_t addr)
{
    struct frame *frame = context;
    char key[32];
    json_array_append_new(frame->variables,
                          json_pack("[s, o]", key_of(addr, key, sizeof key), text(name)));
    want(frame->recorder, addr);
}

static void see_register(void *context, const char *name, const struct vm_view_part *part)
{
    struct frame *frame = context;
    const char *dot = *part->path && *part->path != '[' ? "." : "";
    char type[MAX_NAME], whole[2 * MAX_NAME];
    snprintf(whole, sizeof whole, "%s%s%s", name, dot, part->path);
    vm_type_text(part->type, type, sizeof type);
    json_array_append_new(frame->variables, json_pack("[n, o, o, o]", text(whole), text(type),
                                                      value_of(frame->recorder, part)));
}

static json_t *stack_of(struct recorder *r, uint64_t frame)
{
    json_t *stack = json_array();
    for (; frame && json_array_size(stack) < MOMENTS_FRAMES;
         frame = vm_caller(r->cex.vm, frame)) {
        struct vm_place place;
        struct frame seen = {r, NULL};
        if (!vm_frame_place(r->cex.vm, frame, &place))
            continue;
        seen.variables = json_array();
        vm_view_registers(r->cex.vm, frame, MOMENTS_PARTS, see_register, &seen);
        vm_view_locals(r->cex.vm, frame, see_local, &seen);
        json_array_append_new(stack, json_pack("[o, i, i, o]", text(place.function),
                                               (int)file_index(r, place.file), (int)place.line,
                                               seen.variables));
    }
    return stack;
}

/* ---- threads that wait in a join ------------------------------------------------- */

static bool is_alive(const struct recorder *r, uint64_t tid)
{
    struct vm_view_thread threads[MAX_THREADS];
    size_t n = vm_view_threads(r->cex.vm, threads, MAX_THREADS);
    for (size_t k = 0; k < n; k++)
        if (threads[k].tid == tid && threads[k].frame)
            return true;
    return false;
}

/* Keeps what there is at a join.  A join may be deferred (os/thread_end.h): the thread has run
 * on, but for the user it waits there, with the variables that it had. */
static void begin_join(struct recorder *r, uint64_t frame)
{
    const struct cex_join *join = r->cex.njoins ? &r->cex.joins[r->cex.njoins - 1] : NULL;
    if (!join || join->tid != r->cex.tid || !is_alive(r, join->joined))
        return;
    char tid[32];
    json_t *objects = json_object(), *stack, *call, *variable;
    size_t k, i;
    snprintf(tid, sizeof tid, "%" PRIu64, r->cex.tid);
    r->objects = objects;
    r->nqueue = 0;
    stack = stack_of(r, frame);
    json_array_foreach(stack, k, call)
    {
        json_array_foreach(json_array_get(call, 3), i, variable)
        {
            const char *key = json_string_value(json_array_get(variable, 0));
            if (key) /* or it is in a register */
                look_at(r, strtoull(key, NULL, 16) << 32);
        }
    }
    json_object_set_new(r->joining, tid,
                        json_pack("{s:o, s:o}", "stack", stack, "objects", objects));
}

static void end_join(struct recorder *r)
{
    char tid[32];
    snprintf(tid, sizeof tid, "%" PRIu64, r->cex.tid);
    json_object_del(r->joining, tid);
}

/* Puts back what there was at joins.  Objects that still exist are as they are now. */
static void look_at_joining(struct recorder *r, json_t *stacks)
{
    const char *tid, *key;
    json_t *joining, *object;
    json_object_foreach(r->joining, tid, joining)
    {
        if (!json_object_get(stacks, tid))
            continue;
        json_object_set(stacks, tid, json_object_get(joining, "stack"));
        json_object_foreach(json_object_get(joining, "objects"), key, object)
        {
            look_at(r, strtoull(key, NULL, 16) << 32);
            if (!json_object_get(r->objects, key))
                json_object_set(r->objects, key, object);
        }
    }
}

/* ---- moments --------------------------------------------------------------------- */

static json_t *look(struct recorder *r)
{
    struct vm_view_thread threads[MAX_THREADS];
    size_t n = vm_view_threads(r->cex.vm, threads, MAX_THREADS);
    json_t *stacks = json_object();
    r->objects = json_object();
    r->nqueue = r->cut = 0;
    for (size_t k = 0; k < n; k++) {
        char tid[32];
        snprintf(tid, sizeof tid, "%" PRIu64, threads[k].tid);
        json_object_set_new(stacks, tid, stack_of(r, threads[k].frame));
    }
    vm_view_globals(r->cex.vm, see_object, r);
    vm_view_heap(r->cex.vm, see_object, r);
    want_told(r);
    look_at_joining(r, stacks);
    for (size_t k = 0; k < r->nqueue; k++)
        look_at(r, r->queue[k]);
    return json_pack("{s:o, s:o, s:i}", "stacks", stacks, "objects", r->objects, "cut",
                     (int)r->cut);
}

/* Returns the members of two objects that changed, null for those that are gone. */
static json_t *difference(json_t *before, json_t *after)
{
    json_t *changes = json_object(), *value;
    const char *key;
    json_object_foreach(after, key, value)
    {
        json_t *was = json_object_get(before, key);
        if (!was || !json_equal(was, value))
            json_object_set(changes, key, value);
    }
    json_object_foreach(before, key, value)
    {
        if (!json_object_get(after, key))
            json_object_set_new(changes, key, json_null());
    }
    return changes;
}

/* Gives the steps that wait the moment; what changed is the first one's. */
static void tell_waiting(struct recorder *r)
{
    for (; r->waiting; r->waiting--) {
        json_t *moment = json_object();
        const char *const parts[] = {"stacks", "objects"};
        for (size_t k = 0; k < 2; k++)
            json_object_set_new(moment, parts[k],
                                difference(json_object_get(r->told, parts[k]),
                                           json_object_get(r->now, parts[k])));
        json_object_set(moment, "cut", json_object_get(r->now, "cut"));
        json_array_append_new(r->moments, moment);
        json_decref(r->told);
        r->told = json_incref(r->now);
    }
}

static void look_now(struct recorder *r)
{
    json_decref(r->now);
    r->now = look(r);
}

/* Takes the moment of a fault.  The kernel's way to tell of an error begins where the thread
 * was. */
static void see_wrong(struct recorder *r, const struct vm_event *event)
{
    enum vm_trace_kind trace = (enum vm_trace_kind)(event->trace & 0xff);
    bool told = event->kind == VM_EVENT_TRACE;
    bool runs = told && trace == VM_TRACE_RUN;
    if (event->kind != VM_EVENT_FAULT && !runs &&
        !(told && trace == VM_TRACE_ERROR && !r->wrong))
        return;
    json_decref(r->wrong);
    r->wrong = runs ? NULL : look(r);
}

static void reach_end(struct recorder *r)
{
    for (; r->next < r->steps->n; r->next++) {
        tell_waiting(r);
        json_decref(r->now);
        r->now = r->wrong ? json_incref(r->wrong) : look(r);
        r->waiting = 1;
    }
    tell_waiting(r);
}

/* Names objects, once all that is mentioned has its number. */
static void name_objects(struct recorder *r)
{
    json_t *value;
    const char *key;
    void *next;
    json_object_foreach_safe(r->names, next, key, value)
    {
        char name[MAX_NAME] = "";
        vm_value_text(r->cex.vm, NULL, (uint64_t)json_integer_value(value), 8, true, name,
                      sizeof name);
        json_object_set_new(r->names, key, text(name + (*name == '&')));
    }
}

/* Takes the steps up to an event: causes come before it. */
static void reach(struct recorder *r, uint64_t order)
{
    while (r->next < r->steps->n && r->steps->step[r->next].order <= order) {
        tell_waiting(r);
        look_now(r);
        r->next++;
        r->waiting = 1;
    }
}

static void begin(void *context, struct vm *vm)
{
    struct recorder *r = context;
    cex_begin(&r->cex, vm);
}

static void on_event(void *context, const struct vm_event *event)
{
    struct recorder *r = context;
    cex_on_event(&r->cex, event);
    uint64_t order = r->cex.heard - 1;
    bool runs = event->kind == VM_EVENT_TRACE && (event->trace & 0xff) == VM_TRACE_RUN;
    bool joins = event->kind == VM_EVENT_ACTION && event->action == VM_ACT_JOIN;
    if (runs)
        end_join(r);
    else if (joins && !r->cex.events[r->cex.nevents - 1].ends)
        begin_join(r, event->frame);
    bool more = r->next < r->steps->n && r->steps->step[r->next].order <= order;
    if (r->waiting && runs && !more)
        look_now(r);
    if (r->waiting && runs)
        tell_waiting(r);
    reach(r, order);
    see_wrong(r, event);
    if (r->cex.heard < r->events)
        return;
    reach_end(r);
    name_objects(r);
}

static json_t *files_json(const struct strings *files)
{
    json_t *array = json_array();
    for (size_t k = 0; k < files->n; k++)
        json_array_append_new(array, report_json_text(files->at[k], strlen(files->at[k])));
    return array;
}

static json_t *record(const struct vm_program *program, const struct vm_options *machine,
                      const struct check_path *path, const struct cex *cex, bool all)
{
    struct steps steps;
    struct recorder r = {.steps = &steps,
                         .events = cex->heard,
                         .moments = json_array(),
                         .names = json_object(),
                         .joining = json_object(),
                         .told = json_object()};
    steps_make(&steps, cex, all);
    size_t first = steps.n > MOMENTS_STEPS ? steps.n - MOMENTS_STEPS : 0;
    r.next = first;
    size_t good = check_replay(program, machine, path, begin, on_event, &r);
    json_t *result = NULL;
    if (good == path->n && r.next == steps.n)
        result = json_pack("{s:i, s:o, s:O, s:O}", "first", (int)first, "files",
                           files_json(&r.files), "names", r.names, "moments", r.moments);
    json_decref(r.now);
    json_decref(r.wrong);
    json_decref(r.told);
    json_decref(r.moments);
    json_decref(r.names);
    json_decref(r.joining);
    strings_fini(&r.files);
    free(r.queue);
    steps_fini(&steps);
    cex_fini(&r.cex);
    return result;
}

json_t *moments_record(const struct vm_program *program, const struct vm_options *machine,
                       const struct check_path *path, const struct cex *cex, bool all)
{
    struct vm_options noted = *machine;
    noted.notes = true;
    json_t *moments = record(program, &noted, path, cex, all);
    return moments ? moments : record(program, machine, path, cex, all);
}
