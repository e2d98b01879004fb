/* cex.c - collects what happened on the way to an error; see cex.h. */

#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "checker/report/cex.h"
#include "vm/vm.h"

enum { MAX_PLACES = 64, MAX_TEXT = 256 };

static char *copy(const char *text)
{
    char *result = strdup(text ? text : "");
    if (!result)
        vm_exhausted();
    return result;
}

static char *format(const char *format, const char *a, const char *b)
{
    char *result;
    if (asprintf(&result, format, a, b) < 0)
        vm_exhausted();
    return result;
}

/* ---- places ---------------------------------------------------------------------- */

static struct cex_place copy_place(const struct cex_place *place)
{
    return (struct cex_place){copy(place->function), copy(place->file), place->line,
                              place->library};
}

static void free_place(struct cex_place *place)
{
    free(place->function);
    free(place->file);
}

void cex_fini_event(struct cex_event *event)
{
    free_place(&event->at);
    free(event->object);
    free(event->type);
    free(event->call);
    free(event->cxx_name);
    free(event->read);
    free(event->written);
    free(event->last);
    free(event->text);
}

static struct cex_stack stack_of_places(const struct vm_place *places, size_t n)
{
    struct cex_stack stack = {0};
    size_t max = 0;
    for (size_t i = 0; i < n; i++) {
        struct cex_place place = {copy(places[i].function), copy(places[i].file),
                                  places[i].line, places[i].library};
        cex_name_tests(place.function);
        ARRAY_PUSH(stack.places, stack.n, max, place);
    }
    return stack;
}

struct cex_stack cex_stack_of(const struct vm *vm, uint64_t frame)
{
    struct vm_place places[MAX_PLACES];
    size_t n = frame ? vm_stack(vm, frame, places, MAX_PLACES) : 0;
    return stack_of_places(places, n < MAX_PLACES ? n : MAX_PLACES);
}

struct cex_stack cex_copy_stack(const struct cex_stack *from)
{
    struct cex_stack stack = {0};
    size_t max = 0;
    for (size_t i = 0; i < from->n; i++)
        ARRAY_PUSH(stack.places, stack.n, max, copy_place(&from->places[i]));
    return stack;
}

void cex_free_stack(struct cex_stack *stack)
{
    for (size_t i = 0; i < stack->n; i++)
        free_place(&stack->places[i]);
    free(stack->places);
    *stack = (struct cex_stack){0};
}

const struct cex_place *cex_user_place(const struct cex_stack *stack)
{
    for (size_t i = 0; i < stack->n; i++)
        if (!stack->places[i].library && stack->places[i].line)
            return &stack->places[i];
    return NULL;
}

/* Returns the outermost function of the user, which the thread was started with. */
static const char *entry_of(const struct cex_stack *stack)
{
    for (size_t i = stack->n; i-- > 0;)
        if (!stack->places[i].library)
            return stack->places[i].function;
    return NULL;
}

/* ---- threads --------------------------------------------------------------------- */

const struct cex_thread *cex_thread(const struct cex *cex, uint64_t tid)
{
    for (size_t i = 0; i < cex->nthreads; i++)
        if (cex->threads[i].tid == tid)
            return &cex->threads[i];
    return NULL;
}

static struct cex_thread *know_thread(struct cex *cex, uint64_t tid)
{
    struct cex_thread *known = (struct cex_thread *)cex_thread(cex, tid);
    if (known)
        return known;
    struct cex_thread thread = {.tid = tid, .object = copy(""), .state = CEX_FINISHED};
    for (size_t i = 0; i < cex->nmade; i++)
        if (cex->made[i].tid == tid)
            thread.started_line = cex->made[i].line;
    ARRAY_PUSH(cex->threads, cex->nthreads, cex->max_threads, thread);
    return &cex->threads[cex->nthreads - 1];
}

static void learn_entry(struct cex_thread *thread, const struct cex_stack *stack)
{
    const char *entry = thread->entry ? NULL : entry_of(stack);
    if (entry && *entry != '(') /* nothing before main has a name */
        thread->entry = copy(entry);
}

/* Names the size bytes at an address as the source does; 0: everything that begins there. */
static char *name_of(const struct cex *cex, uint64_t addr, uint32_t size,
                     const struct vm_type **type)
{
    char text[MAX_TEXT] = "";
    const struct vm_type *t = addr ? vm_name(cex->vm, addr, size, text, sizeof text) : NULL;
    if (type)
        *type = t;
    return cex_demangle(text);
}

static char *describe(const struct cex *cex, uint64_t addr)
{
    return name_of(cex, addr, 0, NULL);
}

static char *thread_text(uint64_t tid)
{
    char text[32];
    snprintf(text, sizeof text, "thread %" PRIu64, tid);
    return copy(text);
}

static void note_made(struct cex *cex, const struct cex_event *creation, uint64_t tid)
{
    struct cex_threads_made made = {tid, creation->at.line};
    ARRAY_PUSH(cex->made, cex->nmade, cex->max_made, made);
}

/* Names a thread that runs for the first time: the last creation made it. */
static void name_child(struct cex *cex, uint64_t tid)
{
    struct cex_event *creation = &cex->events[cex->creating - 1];
    free(creation->object);
    creation->object = thread_text(tid);
    note_made(cex, creation, tid);
    cex->creating = 0;
}

static void on_run(struct cex *cex, const struct vm_event *event)
{
    struct vm_trace_run run;
    if (event->len < sizeof run)
        return;
    memcpy(&run, event->data, sizeof run);
    cex->tid = run.tid;
    if (cex->creating && !cex_thread(cex, run.tid))
        name_child(cex, run.tid);
    struct cex_stack stack = cex_stack_of(cex->vm, (uint64_t)run.saved.frame);
    learn_entry(know_thread(cex, run.tid), &stack);
    cex_free_stack(&stack);
}

/* Returns the call of a join that the thread waits in, or NULL. */
static const struct cex_join *join_of(const struct cex *cex,
                                      const struct vm_trace_thread *record)
{
    for (size_t i = cex->njoins; record->action == VM_ACT_JOIN && i-- > 0;)
        if (cex->joins[i].tid == record->tid && cex->joins[i].joined == record->owner)
            return &cex->joins[i];
    return NULL;
}

/* Notes the values of a condition, in case that an assertion fails. */
static void learn_values(struct cex *cex, uint64_t frame)
{
    char text[MAX_TEXT];
    free(cex->values);
    cex->values = vm_condition(cex->vm, frame, text, sizeof text) ? copy(text) : NULL;
}

static void on_thread(struct cex *cex, const struct vm_event *event)
{
    struct vm_trace_thread record;
    if (event->len < sizeof record)
        return;
    memcpy(&record, event->data, sizeof record);
    struct cex_thread *thread = know_thread(cex, record.tid);
    thread->state = (int)record.state;
    thread->action = record.action < VM_ACT_COUNT ? (enum vm_action)record.action : VM_ACT_NONE;
    free(thread->object);
    thread->object = describe(cex, (uint64_t)record.object);
    thread->owner = record.owner;
    const struct cex_thread *first = cex_thread(cex, 1);
    thread->process =
        first && first != thread && first->process != record.process ? record.process : 0;
    if (record.tid == 1)
        thread->process = record.process;
    cex_free_stack(&thread->stack);
    thread->stack = cex_stack_of(cex->vm, (uint64_t)record.frame);
    learn_entry(thread, &thread->stack);
    if (record.tid == cex->tid && record.state != CEX_FINISHED)
        learn_values(cex, (uint64_t)record.frame);
    const struct cex_join *join = join_of(cex, &record);
    if (join) {
        cex_free_stack(&thread->stack);
        thread->stack = cex_copy_stack(&join->stack);
    }
}

static void on_held(struct cex *cex, const struct vm_event *event)
{
    struct vm_trace_held record;
    if (event->len < sizeof record)
        return;
    memcpy(&record, event->data, sizeof record);
    struct cex_lock lock = {record.tid, describe(cex, (uint64_t)record.object)};
    for (size_t i = 0; i < cex->nlocks; i++) {
        if (cex->locks[i].tid == lock.tid && !strcmp(cex->locks[i].object, lock.object)) {
            free(lock.object);
            return;
        }
    }
    ARRAY_PUSH(cex->locks, cex->nlocks, cex->max_locks, lock);
}

/* ---- the error ------------------------------------------------------------------- */

static void set_error(struct cex *cex, enum vm_fault_kind kind, char *message)
{
    cex->failed = true;
    cex->kind = kind;
    free(cex->message);
    cex->message = message;
}

/* Notes a fault that the machine found; the kernel will say more, or not. */
static void on_fault(struct cex *cex, const struct vm_event *event)
{
    set_error(cex, event->fault, cex_demangle(event->message));
    cex->query = cex_is_query(cex) ? (size_t)event->order : 0;
    cex_free_stack(&cex->stack);
    cex->stack = cex_stack_of(cex->vm, event->frame);
}

static void free_side(struct cex_side *side)
{
    free(side->what);
    free(side->object);
    cex_free_stack(&side->stack);
}

/* Names the object of a cause.  A whole object is called as a pointer to it is. */
static char *side_object(const struct cex *cex, const struct vm_event *event)
{
    char text[MAX_TEXT] = "";
    if (event->size)
        return name_of(cex, event->addr, event->size, NULL);
    vm_value_text(cex->vm, NULL, event->addr, sizeof event->addr, true, text, sizeof text);
    return cex_demangle(text + (*text == '&'));
}

static bool is_known_side(const struct cex *cex, const struct vm_event *event)
{
    for (size_t i = 0; i < cex->nsides; i++)
        if (cex->sides[i].order == event->order && !strcmp(cex->sides[i].what, event->message))
            return true;
    return false;
}

static void on_other(struct cex *cex, const struct vm_event *event)
{
    if (is_known_side(cex, event))
        return;
    struct cex_side side = {.what = copy(event->message),
                            .object = side_object(cex, event),
                            .tid = event->tid,
                            .order = event->order,
                            .stack = stack_of_places(event->places, event->nplaces)};
    learn_entry(know_thread(cex, event->tid), &side.stack);
    ARRAY_PUSH(cex->sides, cex->nsides, cex->max_sides, side);
    for (size_t i = cex->nsides - 1; i && side.order < cex->sides[i - 1].order; i--) {
        cex->sides[i] = cex->sides[i - 1];
        cex->sides[i - 1] = side;
    }
}

static void on_error(struct cex *cex, const struct vm_event *event)
{
    unsigned kind = (unsigned)event->trace >> 8;
    char *bytes = check_strndup(event->data, event->len), *text = cex_demangle(bytes);
    free(bytes);
    kind = kind < VM_FAULT_COUNT ? kind : VM_FAULT_NONE;
    bool again = cex->failed && cex->kind == (enum vm_fault_kind)kind;
    if (event->of_monitor)
        cex_learn_monitor(cex, event->frame);
    if (again && *text && strcmp(text, cex->message)) {
        char *both = format(*cex->message ? "%s (%s)" : "%s%s", cex->message, text);
        set_error(cex, cex->kind, both);
    } else if (!again) {
        set_error(cex, (enum vm_fault_kind)kind, copy(text));
    }
    free(text);
    const struct cex_thread *thread = cex_thread(cex, cex->tid);
    if (cex_is_query(cex)) /* it is about a state, not about what a thread does */
        return;
    if (!cex->stack.n && thread && thread->state != CEX_FINISHED)
        for (size_t i = 0, max = 0; i < thread->stack.n; i++)
            ARRAY_PUSH(cex->stack.places, cex->stack.n, max,
                       copy_place(&thread->stack.places[i]));
}

static void on_object(struct cex *cex, const struct vm_event *event)
{
    uint64_t addr;
    if (event->len < sizeof addr)
        return;
    memcpy(&addr, event->data, sizeof addr);
    char text[MAX_TEXT] = "";
    vm_describe(cex->vm, addr, text, sizeof text); /* as a whole */
    free(cex->about);
    cex->about = cex_demangle(text);
}

/* ---- events ---------------------------------------------------------------------- */

/* Returns the value as the source would have it; high: the second half of 16 bytes. */
static char *value_of(const struct cex *cex, uint64_t value, uint64_t high,
                      const struct vm_event *event, const struct vm_type *type)
{
    char text[MAX_TEXT];
    if (event->size > sizeof value)
        vm_wide_text(cex->vm, type, value, high, text, sizeof text);
    else
        vm_value_text(cex->vm, type, value, event->size, event->is_pointer, text, sizeof text);
    return *text ? cex_demangle(text) : NULL;
}

const char *cex_call(const struct cex_stack *stack)
{
    size_t user = 0;
    while (user < stack->n && (stack->places[user].library || !stack->places[user].line))
        user++;
    return user && user < stack->n ? stack->places[user - 1].function : NULL;
}

/* Is there code of a test framework between the user's line and the action? */
static bool is_of_framework(const struct cex_stack *stack)
{
    static const char *const parts[] = {"/gtest", "/gmock",  "googletest", "googlemock",
                                        "catch",  "doctest", "cmocka",     "divm-frameworks"};
    for (size_t i = 0; i < stack->n; i++) {
        const struct cex_place *place = &stack->places[i];
        if (!place->library && place->line)
            return false;
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (strstr(place->file, parts[k]))
                return true;
    }
    return false;
}

struct cex_event *cex_add_event(struct cex *cex, enum cex_kind kind,
                                const struct vm_event *event)
{
    struct cex_event added = {
        .kind = kind, .tid = cex->tid ? cex->tid : 1, .order = cex->heard - 1};
    struct cex_stack stack = event->places ? stack_of_places(event->places, event->nplaces)
                                           : cex_stack_of(cex->vm, event->frame);
    const struct cex_place *place = cex_user_place(&stack);
    static const struct cex_place nowhere;
    const char *call = cex_call(&stack);
    added.at = copy_place(place ? place : &nowhere);
    added.call = call ? cex_demangle(call) : NULL;
    added.framework = is_of_framework(&stack);
    added.cxx_name = cex_cxx_name(&stack, &added.inside);
    if (cex->tid)
        learn_entry(know_thread(cex, cex->tid), &stack);
    cex_free_stack(&stack);
    ARRAY_PUSH(cex->events, cex->nevents, cex->max_events, added);
    return &cex->events[cex->nevents - 1];
}

/* Notes a creation.  A new thread gets the smallest free number: the next one while none was
 * joined and no process made, later that of the thread that runs next for the first time. */
static void note_creation(struct cex *cex, struct cex_event *event)
{
    if (event->action == VM_ACT_JOIN || event->action == VM_ACT_DETACH ||
        event->action == VM_ACT_FORK)
        cex->joined = true;
    if (event->action != VM_ACT_CREATE)
        return;
    cex->created++;
    if (cex->joined) {
        cex->creating = cex->nevents;
        return;
    }
    free(event->object);
    event->object = thread_text(cex->created + 1);
    note_made(cex, event, cex->created + 1);
}

/* Names the end of a wait for threads that were joined before: the last of the calls has it. */
static void name_end_of_wait(struct cex *cex, struct cex_event *event)
{
    uint64_t begun = cex_first_open_join(cex, event->tid), tid = event->tid;
    event->ends = true;
    event->inside = false;
    free(event->object);
    event->object = cex_joined_text(cex, event->tid);
    for (size_t i = cex->njoins; i-- > 0;) {
        const struct cex_place *place = cex_user_place(&cex->joins[i].stack);
        if (cex->joins[i].tid != event->tid || !place)
            continue;
        free_place(&event->at);
        event->at = copy_place(place);
        break;
    }
    cex_put_late_behind(cex, tid, begun);
}

/* Names the joined thread, whose record begins with what is told of it when it runs. */
static void name_joined(struct cex *cex, struct cex_event *event, uint64_t frame)
{
    uint64_t tid;
    if (event->action != VM_ACT_JOIN ||
        !vm_read(cex->vm, event->addr + offsetof(struct vm_trace_run, tid), &tid))
        return;
    if (tid == event->tid) {
        name_end_of_wait(cex, event);
        return;
    }
    struct cex_join join = {.tid = event->tid,
                            .joined = tid,
                            .stack = cex_stack_of(cex->vm, frame),
                            .order = event->order};
    ARRAY_PUSH(cex->joins, cex->njoins, cex->max_joins, join);
    free(event->object);
    event->object = thread_text(tid);
}

static void add_object(const struct cex *cex, struct cex_event *added,
                       const struct vm_event *event)
{
    const struct vm_type *type;
    bool access = event->has_read || event->has_written;
    char text[MAX_TEXT];
    added->action = event->action;
    added->addr = event->addr;
    added->queried = event->is_queried;
    added->object = name_of(cex, event->addr, access ? event->size : 0, &type);
    vm_type_text(type, text, sizeof text);
    added->type = type ? cex_demangle(text) : NULL;
    if (event->has_read)
        added->read = value_of(cex, event->read, event->read_high, event, type);
    if (event->has_written)
        added->written = value_of(cex, event->written, event->written_high, event, type);
    added->relaxed = event->is_relaxed;
    added->spurious = event->is_spurious;
    if (event->is_old)
        added->last = value_of(cex, event->last, event->last_high, event, type);
}

static void on_action(struct cex *cex, const struct vm_event *event)
{
    struct cex_event *added = cex_add_event(cex, CEX_ACTION, event);
    add_object(cex, added, event);
    added->last_waits = event->waits_in;
    added->last_store = cex_find_last_store(cex, added, event->waits_in);
    note_creation(cex, added);
    name_joined(cex, added, event->frame);
    cex_forget_attempt(cex);
}

/* Does the program's own code do it, rather than a library for it? */
static bool is_own(const struct cex *cex, const struct vm_event *event)
{
    struct vm_place place;
    return vm_stack(cex->vm, event->frame, &place, 1) && !place.library && place.line;
}

static void on_access(struct cex *cex, const struct vm_event *event)
{
    enum { MOST = 10000 };
    if (!cex->accesses || cex->naccesses == MOST || !is_own(cex, event))
        return;
    struct cex_event *added = cex_add_event(cex, CEX_ACCESS, event);
    cex->naccesses++;
    add_object(cex, added, event);
}

static void on_name(struct cex *cex, const struct vm_event *event)
{
    struct cex_thread *thread = know_thread(cex, (uint64_t)event->trace >> 8);
    free(thread->name);
    thread->name = event->len ? check_strndup(event->data, event->len) : NULL;
}

static void on_trace(struct cex *cex, const struct vm_event *event)
{
    switch ((enum vm_trace_kind)(event->trace & 0xff)) {
    case VM_TRACE_RUN: on_run(cex, event); break;
    case VM_TRACE_THREAD: on_thread(cex, event); break;
    case VM_TRACE_HELD: on_held(cex, event); break;
    case VM_TRACE_ERROR: on_error(cex, event); break;
    case VM_TRACE_OBJECT: on_object(cex, event); break;
    case VM_TRACE_NAME: on_name(cex, event); break;
    case VM_TRACE_NOTE:
    case VM_TRACE_OUTPUT:
    case VM_TRACE_SIGNAL:
    case VM_TRACE_CHOICE:
    case VM_TRACE_THROW: cex_on_told(cex, event); break;
    case VM_TRACE_EXIT: break;
    }
}

void cex_begin(void *context, struct vm *vm)
{
    ((struct cex *)context)->vm = vm;
}

void cex_on_event(void *context, const struct vm_event *event)
{
    struct cex *cex = context;
    cex->heard++;
    switch (event->kind) {
    case VM_EVENT_ACTION: on_action(cex, event); break;
    case VM_EVENT_TRACE: on_trace(cex, event); break;
    case VM_EVENT_FAULT: on_fault(cex, event); break;
    case VM_EVENT_OTHER: on_other(cex, event); break;
    case VM_EVENT_ACCESS: on_access(cex, event); break;
    }
}

void cex_fini(struct cex *cex)
{
    for (size_t i = 0; i < cex->nevents; i++)
        cex_fini_event(&cex->events[i]);
    for (size_t i = 0; i < cex->nthreads; i++) {
        free(cex->threads[i].entry);
        free(cex->threads[i].name);
        free(cex->threads[i].object);
        cex_free_stack(&cex->threads[i].stack);
    }
    for (size_t i = 0; i < cex->nlocks; i++)
        free(cex->locks[i].object);
    for (size_t i = 0; i < cex->njoins; i++)
        cex_free_stack(&cex->joins[i].stack);
    for (size_t i = 0; i < cex->nloops; i++)
        cex_free_stack(&cex->loops[i].stack);
    free(cex->loops);
    free(cex->touches);
    free(cex->events);
    free(cex->threads);
    free(cex->locks);
    free(cex->joins);
    free(cex->made);
    free(cex->message);
    free(cex->about);
    free(cex->values);
    cex_free_stack(&cex->stack);
    for (size_t i = 0; i < cex->nsides; i++)
        free_side(&cex->sides[i]);
    free(cex->sides);
    *cex = (struct cex){0};
}
