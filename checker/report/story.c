/* story.c - collecting what happened; see story.h. */
#include "story.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"

enum { MAX_PLACES = 64, MAX_TEXT = 256 };

static char *copy(const char *text)
{
    char *result = strdup(text ? text : "");
    if (!result)
        vm_exhausted();
    return result;
}

static char *copy_bytes(const void *data, size_t len)
{
    char *result = malloc(len + 1);
    if (!result)
        vm_exhausted();
    if (len)
        memcpy(result, data, len);
    result[len] = '\0';
    return result;
}

static char *format(const char *format, const char *a, const char *b)
{
    char *result;
    if (asprintf(&result, format, a, b) < 0)
        vm_exhausted();
    return result;
}

/* ---- places ------------------------------------------------------------------------ */

static struct story_place copy_place(const struct story_place *place)
{
    return (struct story_place){copy(place->function), copy(place->file), place->line,
                                place->library};
}

static void free_place(struct story_place *place)
{
    free(place->function);
    free(place->file);
}

static void free_event(struct story_event *event)
{
    free_place(&event->at);
    free(event->object);
    free(event->call);
    free(event->words);
    free(event->read);
    free(event->written);
    free(event->text);
}

static struct story_stack stack_of_places(const struct vm_place *places, size_t n)
{
    struct story_stack stack = {0};
    size_t max = 0;
    for (size_t i = 0; i < n; i++) {
        struct story_place place = {copy(places[i].function), copy(places[i].file),
                                    places[i].line, places[i].library};
        ARRAY_PUSH(stack.places, stack.n, max, place);
    }
    return stack;
}

static struct story_stack stack_of(const struct vm *vm, uint64_t frame)
{
    struct vm_place places[MAX_PLACES];
    size_t n = frame ? vm_stack(vm, frame, places, MAX_PLACES) : 0;
    return stack_of_places(places, n < MAX_PLACES ? n : MAX_PLACES);
}

static struct story_stack copy_stack(const struct story_stack *from)
{
    struct story_stack stack = {0};
    size_t max = 0;
    for (size_t i = 0; i < from->n; i++)
        ARRAY_PUSH(stack.places, stack.n, max, copy_place(&from->places[i]));
    return stack;
}

static void free_stack(struct story_stack *stack)
{
    for (size_t i = 0; i < stack->n; i++)
        free_place(&stack->places[i]);
    free(stack->places);
    *stack = (struct story_stack){0};
}

const struct story_place *story_user_place(const struct story_stack *stack)
{
    for (size_t i = 0; i < stack->n; i++)
        if (!stack->places[i].library && stack->places[i].line)
            return &stack->places[i];
    return NULL;
}

/* The outermost function of the user: what the thread was started with. */
static const char *entry_of(const struct story_stack *stack)
{
    for (size_t i = stack->n; i-- > 0;)
        if (!stack->places[i].library)
            return stack->places[i].function;
    return NULL;
}

/* ---- threads ----------------------------------------------------------------------- */

const struct story_thread *story_thread(const struct story *story, uint64_t tid)
{
    for (size_t i = 0; i < story->nthreads; i++)
        if (story->threads[i].tid == tid)
            return &story->threads[i];
    return NULL;
}

static struct story_thread *know_thread(struct story *story, uint64_t tid)
{
    struct story_thread *known = (struct story_thread *)story_thread(story, tid);
    if (known)
        return known;
    struct story_thread thread = {.tid = tid, .object = copy(""), .state = STORY_FINISHED};
    ARRAY_PUSH(story->threads, story->nthreads, story->max_threads, thread);
    return &story->threads[story->nthreads - 1];
}

static void learn_entry(struct story_thread *thread, const struct story_stack *stack)
{
    const char *entry = thread->entry ? NULL : entry_of(stack);
    if (entry && *entry != '(') /* nothing before main has a name */
        thread->entry = copy(entry);
}

static char *describe(const struct story *story, uint64_t addr)
{
    char text[MAX_TEXT] = "";
    if (addr)
        vm_describe(story->vm, addr, text, sizeof text);
    char *inner = strstr(text, ".__"); /* the library's members of the user's object */
    if (inner)
        *inner = '\0';
    return story_demangle(text);
}

static char *thread_text(uint64_t tid)
{
    char text[32];
    snprintf(text, sizeof text, "thread %" PRIu64, tid);
    return copy(text);
}

/* A thread that runs for the first time was made by the last creation. */
static void name_child(struct story *story, uint64_t tid)
{
    struct story_event *creation = &story->events[story->creating - 1];
    free(creation->object);
    creation->object = thread_text(tid);
    story->creating = 0;
}

static void hear_run(struct story *story, const struct vm_event *event)
{
    struct vm_trace_run run;
    if (event->len < sizeof run)
        return;
    memcpy(&run, event->data, sizeof run);
    story->tid = run.tid;
    if (story->creating && !story_thread(story, run.tid))
        name_child(story, run.tid);
    struct story_stack stack = stack_of(story->vm, (uint64_t)run.saved.frame);
    learn_entry(know_thread(story, run.tid), &stack);
    free_stack(&stack);
}

/* The call of a join that it waits in, or NULL. */
static const struct story_join *join_of(const struct story *story,
                                        const struct vm_trace_thread *record)
{
    for (size_t i = story->njoins; record->action == VM_ACT_JOIN && i-- > 0;)
        if (story->joins[i].tid == record->tid && story->joins[i].joined == record->owner)
            return &story->joins[i];
    return NULL;
}

static void hear_thread(struct story *story, const struct vm_event *event)
{
    struct vm_trace_thread record;
    if (event->len < sizeof record)
        return;
    memcpy(&record, event->data, sizeof record);
    struct story_thread *thread = know_thread(story, record.tid);
    thread->state = (int)record.state;
    thread->action = record.action < VM_ACT_COUNT ? (enum vm_action)record.action : VM_ACT_NONE;
    free(thread->object);
    thread->object = describe(story, (uint64_t)record.object);
    thread->owner = record.owner;
    free_stack(&thread->stack);
    thread->stack = stack_of(story->vm, (uint64_t)record.frame);
    learn_entry(thread, &thread->stack);
    const struct story_join *join = join_of(story, &record);
    if (join) {
        free_stack(&thread->stack);
        thread->stack = copy_stack(&join->stack);
    }
}

static void hear_held(struct story *story, const struct vm_event *event)
{
    struct vm_trace_held record;
    if (event->len < sizeof record)
        return;
    memcpy(&record, event->data, sizeof record);
    struct story_lock lock = {record.tid, describe(story, (uint64_t)record.object)};
    for (size_t i = 0; i < story->nlocks; i++) {
        if (story->locks[i].tid == lock.tid && !strcmp(story->locks[i].object, lock.object)) {
            free(lock.object);
            return;
        }
    }
    ARRAY_PUSH(story->locks, story->nlocks, story->max_locks, lock);
}

/* ---- the error --------------------------------------------------------------------- */

static void set_error(struct story *story, enum vm_fault_kind kind, char *message)
{
    story->failed = true;
    story->kind = kind;
    free(story->message);
    story->message = message;
}

/* The machine found it; the kernel will say more, or not. */
static void hear_fault(struct story *story, const struct vm_event *event)
{
    set_error(story, event->fault, story_demangle(event->message));
    free_stack(&story->stack);
    story->stack = stack_of(story->vm, event->frame);
}

static void free_side(struct story_side *side)
{
    free(side->what);
    free_stack(&side->stack);
    *side = (struct story_side){0};
}

static void hear_other(struct story *story, const struct vm_event *event)
{
    free_side(&story->other);
    story->other = (struct story_side){.what = copy(event->message),
                                       .tid = event->tid,
                                       .stack = stack_of_places(event->places, event->nplaces)};
}

static void hear_error(struct story *story, const struct vm_event *event)
{
    unsigned kind = (unsigned)event->trace >> 8;
    char *bytes = copy_bytes(event->data, event->len), *text = story_demangle(bytes);
    free(bytes);
    if (kind >= VM_FAULT_COUNT)
        kind = VM_FAULT_NONE;
    bool again = story->failed && story->kind == (enum vm_fault_kind)kind;
    if (again && *text && strcmp(text, story->message)) {
        char *both = format(*story->message ? "%s (%s)" : "%s%s", story->message, text);
        set_error(story, story->kind, both);
    } else if (!again) {
        set_error(story, (enum vm_fault_kind)kind, copy(text));
    }
    free(text);
    const struct story_thread *thread = story_thread(story, story->tid);
    if (!story->stack.n && thread && thread->state != STORY_FINISHED)
        for (size_t i = 0, max = 0; i < thread->stack.n; i++)
            ARRAY_PUSH(story->stack.places, story->stack.n, max,
                       copy_place(&thread->stack.places[i]));
}

static void hear_object(struct story *story, const struct vm_event *event)
{
    uint64_t addr;
    if (event->len < sizeof addr)
        return;
    memcpy(&addr, event->data, sizeof addr);
    free(story->about);
    story->about = describe(story, addr);
}

/* Each line break, with the blanks around it, becomes one blank. */
static char *one_line(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        bool breaks = strchr("\n\r", *from) != NULL;
        if (breaks)
            while (to > text && to[-1] == ' ')
                to--;
        *to++ = *from;
        if (breaks) {
            to[-1] = ' ';
            from += strspn(from + 1, " \n\r\t");
        }
    }
    *to = '\0';
    return text;
}

char *story_error_text(const struct story *story)
{
    const char *kind = vm_fault_text(story->kind);
    const char *message = story->message ? story->message : "";
    if (!*message)
        return copy(kind);
    size_t n = strlen(kind);
    if (!strncmp(message, kind, n) && !isalnum((unsigned char)message[n]))
        return one_line(copy(message));
    return one_line(format("%s: %s", kind, message));
}

/* ---- events ------------------------------------------------------------------------ */

/* Small numbers are signed more often than not; large ones are easier in hex. */
static char *number_text(uint64_t value, uint32_t size)
{
    char text[32];
    unsigned shift = size && size < 8 ? 64 - 8 * size : 0;
    int64_t number = (int64_t)(value << shift) >> shift;
    if (number > -1000000000 && number < 1000000000)
        snprintf(text, sizeof text, "%" PRId64, number);
    else
        snprintf(text, sizeof text, "0x%" PRIx64, value);
    return copy(text);
}

static char *value_of(const struct story *story, uint64_t value, const struct vm_event *event)
{
    if (!event->is_pointer)
        return number_text(value, event->size);
    if (!value)
        return copy("NULL");
    char *object = describe(story, value);
    char *text = format("%s%s", strchr(object, ' ') ? "" : "&", object);
    free(object);
    return text;
}

const char *story_call(const struct story_stack *stack)
{
    size_t user = 0;
    while (user < stack->n && (stack->places[user].library || !stack->places[user].line))
        user++;
    return user && user < stack->n ? stack->places[user - 1].function : NULL;
}

static struct story_event *add_event(struct story *story, enum story_kind kind,
                                     const struct vm_event *event)
{
    struct story_event added = {.kind = kind, .tid = story->tid};
    struct story_stack stack = stack_of(story->vm, event->frame);
    const struct story_place *place = story_user_place(&stack);
    static const struct story_place nowhere;
    const char *call = story_call(&stack);
    added.at = copy_place(place ? place : &nowhere);
    added.call = call ? story_demangle(call) : NULL;
    added.words = story_words(&stack, &added.inside);
    if (story->tid)
        learn_entry(know_thread(story, story->tid), &stack);
    free_stack(&stack);
    ARRAY_PUSH(story->events, story->nevents, story->max_events, added);
    return &story->events[story->nevents - 1];
}

/* A new thread gets the smallest free number: the next one while none was joined and no
 * process made, later that of the thread that runs next for the first time. */
static void note_creation(struct story *story, struct story_event *event)
{
    if (event->action == VM_ACT_JOIN || event->action == VM_ACT_DETACH ||
        event->action == VM_ACT_FORK)
        story->joined = true;
    if (event->action != VM_ACT_CREATE)
        return;
    story->created++;
    if (story->joined) {
        story->creating = story->nevents;
        return;
    }
    free(event->object);
    event->object = thread_text(story->created + 1);
}

/* The end of a wait for threads that were joined before: told of the last of those calls. */
static void name_end_of_wait(struct story *story, struct story_event *event)
{
    free(event->words);
    event->words = copy("joined");
    event->inside = false;
    free(event->object);
    event->object = copy("");
    for (size_t i = story->njoins; i-- > 0;) {
        const struct story_place *place = story_user_place(&story->joins[i].stack);
        if (story->joins[i].tid != event->tid || !place)
            continue;
        free_place(&event->at);
        event->at = copy_place(place);
        return;
    }
}

/* A thread's record begins with what is told of it when it runs. */
static void name_joined(struct story *story, struct story_event *event, uint64_t frame)
{
    uint64_t tid;
    if (event->action != VM_ACT_JOIN ||
        !vm_read(story->vm, event->addr + offsetof(struct vm_trace_run, tid), &tid))
        return;
    if (tid == event->tid) {
        name_end_of_wait(story, event);
        return;
    }
    struct story_join join = {event->tid, tid, stack_of(story->vm, frame)};
    ARRAY_PUSH(story->joins, story->njoins, story->max_joins, join);
    free(event->object);
    event->object = thread_text(tid);
}

/* A join that had to wait was tried before: the table need not say so. */
static void forget_attempt(struct story *story)
{
    const struct story_event *added = &story->events[story->nevents - 1];
    for (size_t i = story->nevents - 1; added->action == VM_ACT_JOIN && i-- > 0;) {
        struct story_event *before = &story->events[i];
        if (before->tid != added->tid)
            continue;
        if (before->action == VM_ACT_JOIN && before->addr == added->addr)
            before->action = VM_ACT_NONE;
        return;
    }
}

static void hear_action(struct story *story, const struct vm_event *event)
{
    struct story_event *added = add_event(story, STORY_ACTION, event);
    added->action = event->action;
    added->addr = event->addr;
    added->object = describe(story, event->addr);
    note_creation(story, added);
    name_joined(story, added, event->frame);
    forget_attempt(story);
    added->read = event->has_read ? value_of(story, event->read, event) : NULL;
    added->written = event->has_written ? value_of(story, event->written, event) : NULL;
}

/* What a thread prints piece by piece is one event. */
static bool continues(const struct story_event *before, const struct story_event *added)
{
    return before->kind == STORY_OUTPUT && added->kind == STORY_OUTPUT &&
           before->tid == added->tid && before->descriptor == added->descriptor &&
           before->at.line == added->at.line && !strcmp(before->at.file, added->at.file);
}

static void join_output(struct story *story)
{
    struct story_event *added = &story->events[story->nevents - 1], *before = added - 1;
    if (story->nevents < 2 || !continues(before, added))
        return;
    char *text = realloc(before->text, before->len + added->len + 1);
    if (!text)
        vm_exhausted();
    memcpy(text + before->len, added->text, added->len + 1);
    before->text = text;
    before->len += added->len;
    free_event(added);
    story->nevents--;
}

static void hear_text(struct story *story, enum story_kind kind, const struct vm_event *event)
{
    struct story_event *added = add_event(story, kind, event);
    added->text = copy_bytes(event->data, event->len);
    added->len = event->len;
    added->descriptor = event->trace >> 8;
    join_output(story);
}

static void hear_trace(struct story *story, const struct vm_event *event)
{
    switch ((enum vm_trace_kind)(event->trace & 0xff)) {
    case VM_TRACE_RUN: hear_run(story, event); break;
    case VM_TRACE_THREAD: hear_thread(story, event); break;
    case VM_TRACE_HELD: hear_held(story, event); break;
    case VM_TRACE_ERROR: hear_error(story, event); break;
    case VM_TRACE_NOTE: hear_text(story, STORY_NOTE, event); break;
    case VM_TRACE_OUTPUT: hear_text(story, STORY_OUTPUT, event); break;
    case VM_TRACE_OBJECT: hear_object(story, event); break;
    case VM_TRACE_EXIT: break;
    }
}

void story_begin(void *context, struct vm *vm)
{
    ((struct story *)context)->vm = vm;
}

void story_hear(void *context, const struct vm_event *event)
{
    struct story *story = context;
    switch (event->kind) {
    case VM_EVENT_ACTION: hear_action(story, event); break;
    case VM_EVENT_TRACE: hear_trace(story, event); break;
    case VM_EVENT_FAULT: hear_fault(story, event); break;
    case VM_EVENT_OTHER: hear_other(story, event); break;
    }
}

bool story_has_failed(const struct story *story, const struct story_thread *thread)
{
    return story->failed && story->kind != VM_FAULT_DEADLOCK && thread->tid == story->tid;
}

bool story_is_shared(const struct story *story, uint64_t addr)
{
    uint64_t first = 0;
    if (!addr)
        return true;
    for (size_t i = 0; i < story->nevents; i++) {
        const struct story_event *event = &story->events[i];
        if (event->kind != STORY_ACTION || event->addr >> 32 != addr >> 32)
            continue;
        if (first && event->tid != first)
            return true;
        first = event->tid;
    }
    return false;
}

void story_fini(struct story *story)
{
    for (size_t i = 0; i < story->nevents; i++)
        free_event(&story->events[i]);
    for (size_t i = 0; i < story->nthreads; i++) {
        free(story->threads[i].entry);
        free(story->threads[i].object);
        free_stack(&story->threads[i].stack);
    }
    for (size_t i = 0; i < story->nlocks; i++)
        free(story->locks[i].object);
    for (size_t i = 0; i < story->njoins; i++)
        free_stack(&story->joins[i].stack);
    free(story->events);
    free(story->threads);
    free(story->locks);
    free(story->joins);
    free(story->message);
    free(story->about);
    free_stack(&story->stack);
    free_side(&story->other);
    *story = (struct story){0};
}
