/* cex_told.c - what the program tells: texts that it prints or notes, numbers that are chosen
 * for it, signals that arrive and exceptions that are thrown. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "checker/memory.h"
#include "checker/report/cex.h"

enum { MAX_TEXT = 256 };

/* What calls a lambda, behind its name. */
#define CALL "::operator()"

/* Returns the event's text, which may have any bytes. */
static char *copy_bytes(const struct vm_event *event)
{
    char *result = check_zeros(event->len + 1, 1);
    if (event->len)
        memcpy(result, event->data, event->len);
    return result;
}

/* Does the event continue the one before?  What a thread prints piece by piece is one event. */
static bool continues(const struct cex_event *before, const struct cex_event *added)
{
    return before->kind == CEX_OUTPUT && added->kind == CEX_OUTPUT &&
           before->tid == added->tid && before->descriptor == added->descriptor &&
           before->at.line == added->at.line && !strcmp(before->at.file, added->at.file);
}

static void join_output(struct cex *cex)
{
    struct cex_event *added = &cex->events[cex->nevents - 1], *before = added - 1;
    if (cex->nevents < 2 || !continues(before, added))
        return;
    char *text = check_memory(realloc(before->text, before->len + added->len + 1));
    memcpy(text + before->len, added->text, added->len + 1);
    before->text = text;
    before->len += added->len;
    cex_fini_event(added);
    cex->nevents--;
}

static void on_text(struct cex *cex, enum cex_kind kind, const struct vm_event *event)
{
    struct cex_event *added = cex_add_event(cex, kind, event);
    added->text = copy_bytes(event);
    added->len = event->len;
    added->descriptor = event->trace >> 8;
    join_output(cex);
}

static void on_signal(struct cex *cex, const struct vm_event *event)
{
    struct cex_event *added = cex_add_event(cex, CEX_SIGNAL, event);
    const char *name = sigabbrev_np(event->trace >> 8);
    added->text = name ? check_format("SIG%s", name) : check_strdup("a signal");
    added->len = strlen(added->text);
}

/* Notes a choice of a number.  The variable that gets it says how it is written. */
static void add_number(const struct cex *cex, struct cex_event *added,
                       const struct vm_event *event)
{
    char name[MAX_TEXT], text[MAX_TEXT];
    int number = event->trace >> 8;
    const struct vm_type *type = vm_chosen(cex->vm, event->frame, name, sizeof name);
    added->object = cex_demangle(name);
    vm_value_text(cex->vm, type, (uint64_t)(int64_t)number, sizeof number, false, text,
                  sizeof text);
    added->written = check_strdup(text);
    vm_type_text(type, text, sizeof text);
    added->type = type ? cex_demangle(text) : NULL;
}

/* Notes a choice.  A thread that no other has woken has not got the mutex back yet. */
static void on_choice(struct cex *cex, const struct vm_event *event)
{
    struct cex_event *added = cex_add_event(cex, CEX_CHOICE, event), *before = added;
    while (before > cex->events && (before == added || before->tid != added->tid))
        before--;
    if (before != added && before->tid == added->tid && before->action == VM_ACT_COND_WAKE)
        before->action = VM_ACT_NONE;
    if (event->len)
        added->text = copy_bytes(event);
    else
        add_number(cex, added, event);
}

/* Notes that an exception was thrown: its type, and the function that has the handler, unless
 * that is one of a library. */
static void on_throw(struct cex *cex, const struct vm_event *event)
{
    struct vm_trace_throw record;
    struct vm_place place;
    char type[MAX_TEXT];
    if (event->len < sizeof record)
        return;
    memcpy(&record, event->data, sizeof record);
    struct cex_event *added = cex_add_event(cex, CEX_THROW, event);
    vm_describe(cex->vm, (uint64_t)record.type, type, sizeof type);
    added->object = cex_demangle(record.type ? type : "");
    if (vm_places_at(cex->vm, (uint64_t)record.handler, &place, 1) && !place.library) {
        char *function = cex_demangle(place.function), *call = strstr(function, CALL);
        bool lambda = call && !call[sizeof CALL - 1];
        added->text = check_format("caught in %.*s",
                                   (int)(lambda ? (size_t)(call - function) : strlen(function)),
                                   function);
        free(function);
    }
}

void cex_on_told(struct cex *cex, const struct vm_event *event)
{
    switch (event->trace & 0xff) {
    case VM_TRACE_NOTE: on_text(cex, CEX_NOTE, event); break;
    case VM_TRACE_OUTPUT: on_text(cex, CEX_OUTPUT, event); break;
    case VM_TRACE_SIGNAL: on_signal(cex, event); break;
    case VM_TRACE_CHOICE: on_choice(cex, event); break;
    case VM_TRACE_THROW: on_throw(cex, event); break;
    default: break;
    }
}
