/* steps.c - makes steps of a counterexample: what matters of it, and what led to the error.
 *
 * What matters is what threads did to objects that at least two of them touch, and their calls
 * of the thread library; never how a library does it.  What a thread repeats is one step. */
#include "step.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "report.h"

static const struct cex_place nowhere;

/* ---- texts ----------------------------------------------------------------------- */

static const char *keep(struct steps *steps, char *text)
{
    ARRAY_PUSH(steps->texts, steps->ntexts, steps->max_texts, text);
    return text;
}

void steps_fini(struct steps *steps)
{
    for (size_t i = 0; i < steps->ntexts; i++)
        free(steps->texts[i]);
    free(steps->texts);
    free(steps->step);
    *steps = (struct steps){0};
}

const char *step_kind_text(enum step_kind kind)
{
    static const char *const texts[] = {
        [STEP_ACTION] = "action", [STEP_OUTPUT] = "output", [STEP_NOTE] = "note",
        [STEP_SIGNAL] = "signal", [STEP_CAUSE] = "cause",   [STEP_BLOCKED] = "blocked",
        [STEP_ERROR] = "error",   [STEP_ACCESS] = "access", [STEP_CHOICE] = "choice",
        [STEP_THROW] = "throw",
    };
    return texts[kind];
}

/* ---- words ----------------------------------------------------------------------- */

/* Returns "lock" of std::mutex::lock; what the machine knows better is not asked for here. */
static const char *last_name(const char *words)
{
    const char *name = words;
    for (const char *at; (at = strstr(name, "::"));)
        name = at + 2;
    return name;
}

/* Returns what a library's function is called in a step.  Not all that is called lock locks. */
static const char *verb_of_part(const char *cxx_name)
{
    const char *verb = last_name(cxx_name);
    return !strcmp(verb, "lock") && strstr(cxx_name, "weak_ptr") ? "weak_ptr::lock" : verb;
}

static const char *verb_of(const struct cex_event *event)
{
    static const char *const verbs[VM_ACT_COUNT] = {
        [VM_ACT_CREATE] = "create",
        [VM_ACT_JOIN] = "join",
        [VM_ACT_LOAD] = "load",
        [VM_ACT_STORE] = "store",
        [VM_ACT_RMW] = "update",
        [VM_ACT_CMPXCHG] = "compare-exchange",
        [VM_ACT_COND_WAKE] = "woken: lock",
        [VM_ACT_COND_WAIT] = "wait",
    };
    if (verbs[event->action])
        return verbs[event->action];
    if (event->cxx_name)
        return last_name(event->cxx_name);
    bool is_syscall = event->action == VM_ACT_SYSCALL || event->action == VM_ACT_FUTEX ||
                      event->action == VM_ACT_SIGNAL;
    if (is_syscall && event->call)
        return event->call + strspn(event->call, "_");
    return vm_action_text(event->action);
}

/* Does a library keep what it does to the object to itself? */
static bool is_own(const char *object)
{
    return report_has_name(object) && strncmp(object, "byte ", 5) != 0 &&
           strncmp(object, "heap object", 11) != 0;
}

static const char *escaped(struct steps *steps, const struct cex_event *event)
{
    enum { MOST = 60 };
    char *line = NULL;
    size_t size, n = event->len <= MOST ? event->len : MOST;
    FILE *text = check_text_stream(&line, &size);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)event->text[i];
        if (c == '\n')
            fputs("\\n", text);
        else if (c < ' ')
            fprintf(text, "\\x%02x", c);
        else
            fputc(c, text);
    }
    fputs(n < event->len ? "..." : "", text);
    fclose(text);
    return keep(steps, line);
}

/* Is the event only a part of what the library's function does?  A function that makes or joins
 * a thread does just that. */
static bool is_part(const struct cex_event *event)
{
    return event->kind == CEX_ACTION && event->cxx_name && event->inside &&
           event->action != VM_ACT_CREATE && event->action != VM_ACT_JOIN;
}

static struct step step_of(struct steps *steps, const struct cex_event *event)
{
    struct step step = {.kind = STEP_ACTION,
                        .tid = event->tid,
                        .at = &event->at,
                        .verb = "",
                        .object = "",
                        .type = event->type ? event->type : "",
                        .times = 1,
                        .order = event->order};
    switch (event->kind) {
    case CEX_OUTPUT:
        step.kind = STEP_OUTPUT;
        step.verb = "print";
        step.text = escaped(steps, event);
        return step;
    case CEX_NOTE:
        step.kind = STEP_NOTE;
        step.text = event->text;
        return step;
    case CEX_SIGNAL:
        step.kind = STEP_SIGNAL;
        step.text = event->text;
        return step;
    case CEX_CHOICE:
        step.kind = STEP_CHOICE;
        step.verb = "choose";
        step.object = event->object ? event->object : "";
        step.after = event->written;
        step.text = event->text;
        return step;
    case CEX_THROW:
        step.kind = STEP_THROW;
        step.verb = "throw";
        step.object = event->object;
        step.text = event->text;
        return step;
    case CEX_ACCESS: step.kind = STEP_ACCESS; break;
    case CEX_ACTION: break;
    }
    step.action = event->action;
    step.verb = verb_of(event);
    bool inside = is_part(event);
    if (inside ? is_own(event->object) : report_has_name(event->object))
        step.object = event->object;
    if (inside) {
        step.verb = verb_of_part(event->cxx_name);
        return step;
    }
    step.before = event->read;
    step.after = event->written;
    step.last = event->last;
    step.last_store = event->last_store ? &steps->events[event->last_store - 1] : NULL;
    step.last_waits = event->last_waits;
    step.fails = event->action == VM_ACT_CMPXCHG && !event->written;
    step.spurious = event->spurious;
    step.relaxed = event->relaxed;
    return step;
}

/* The store that comes last: a load need not read it, and why; or a store comes before it. */
static void put_last_store(FILE *text, const struct step *step)
{
    const char *format = step->before ? ", though thread %" PRIu64 " stored %s"
                                      : ", ordered before thread %" PRIu64 "'s store of %s";
    const struct cex_place *at = &step->last_store->at;
    fprintf(text, format, step->last_store->tid, step->last);
    if (at->line)
        fprintf(text, " at %s:%u", check_basename(at->file), at->line);
    if (step->before)
        fputs(step->last_waits ? ": not in memory yet" : ": nothing orders them", text);
}

static void put_access(FILE *text, const struct step *step)
{
    if (step->action == VM_ACT_DRAIN) {
        fprintf(text, "%s%s%s reaches memory", *step->object ? step->object : "a store",
                step->after ? " = " : "", step->after ? step->after : "");
        return;
    }
    if (step->before && step->after && *step->object)
        fprintf(text, "%s: %s -> %s", step->object, step->before, step->after);
    else
        fprintf(text, "%s%s%s", step->verb, *step->object ? " " : "", step->object);
    if (step->before && step->after && !*step->object)
        fprintf(text, ": %s -> %s", step->before, step->after);
    else if (!step->before != !step->after)
        fprintf(text,
                step->spurious ? " fails spuriously: is %s"
                : step->fails  ? " fails: is %s"
                               : " = %s",
                step->before ? step->before : step->after);
    if (step->relaxed)
        fputs(" (relaxed)", text);
    if (step->last_store)
        put_last_store(text, step);
    else if (step->last)
        fprintf(text, step->before ? " (the last store is %s)" : " (ordered before %s)",
                step->last);
}

static void put_choice(FILE *text, const struct step *step)
{
    if (step->text)
        fprintf(text, "[%s]", step->text);
    else if (*step->object)
        fprintf(text, "choose %s = %s", step->object, step->after);
    else
        fprintf(text, "choose %s", step->after);
}

static void put_throw(FILE *text, const struct step *step)
{
    fprintf(text, "throw %s", *step->object ? step->object : "an exception");
    if (step->text)
        fprintf(text, ", %s", step->text);
}

char *step_text(const struct step *step)
{
    char *line = NULL;
    size_t size;
    FILE *text = check_text_stream(&line, &size);
    switch (step->kind) {
    case STEP_OUTPUT: fprintf(text, "print \"%s\"", step->text); break;
    case STEP_NOTE: fprintf(text, "note: %s", step->text); break;
    case STEP_SIGNAL: fprintf(text, "[%s arrives]", step->text); break;
    case STEP_CHOICE: put_choice(text, step); break;
    case STEP_THROW: put_throw(text, step); break;
    case STEP_ERROR: fputs(step->text, text); break;
    case STEP_BLOCKED:
        fprintf(text, "%s%s%s [blocked", step->verb, *step->object ? " " : "", step->object);
        if (step->owner == step->tid)
            fputs(" by itself", text);
        else if (step->owner)
            fprintf(text, " by thread %" PRIu64, step->owner);
        fputc(']', text);
        break;
    case STEP_ACTION:
    case STEP_ACCESS:
    case STEP_CAUSE: put_access(text, step); break;
    }
    fclose(text);
    return line;
}

/* ---- what led to the error ------------------------------------------------------- */

static const char *verb_of_side(const char *what)
{
    static const char *const verbs[][2] = {
        {"read", "read"},  {"write", "write"},         {"free", "free"},
        {"end", "end of"}, {"allocation", "allocate"},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(what, verbs[i][0]))
            return verbs[i][1];
    return what;
}

/* An atomic access is an action, which has a step anyway. */
static bool is_action(const char *what)
{
    static const char atomic[] = "atomic ";
    return !strncmp(what, atomic, sizeof atomic - 1);
}

static void add_step(struct steps *steps, struct step step)
{
    ARRAY_PUSH(steps->step, steps->n, steps->max, step);
}

/* Inserts a step in front of those of the same order. */
static void insert_step(struct steps *steps, struct step step)
{
    add_step(steps, step);
    for (size_t i = steps->n - 1; i && steps->step[i - 1].order >= step.order; i--) {
        steps->step[i] = steps->step[i - 1];
        steps->step[i - 1] = step;
    }
}

/* Returns the name of a cause's object; one without a name is not said twice to be allocated
 * where it is. */
static const char *name_of_side(struct steps *steps, const struct cex_side *side)
{
    static const char where[] = " allocated at ";
    const char *at = strstr(side->object, where);
    if (!report_has_name(side->object))
        return "";
    if (strcmp(side->what, "allocation") != 0 || is_own(side->object) || !at)
        return side->object;
    return keep(steps, check_strndup(side->object, (size_t)(at - side->object)));
}

static void add_causes(struct steps *steps, const struct cex *cex)
{
    for (size_t i = 0; i < cex->nsides; i++) {
        const struct cex_side *side = &cex->sides[i];
        const struct cex_place *place = cex_user_place(&side->stack);
        if (!place || is_action(side->what))
            continue;
        insert_step(steps, (struct step){.kind = STEP_CAUSE,
                                         .tid = side->tid,
                                         .at = place,
                                         .stack = &side->stack,
                                         .verb = verb_of_side(side->what),
                                         .object = name_of_side(steps, side),
                                         .type = "",
                                         .times = 1,
                                         .order = side->order});
    }
}

static uint64_t last_order(const struct cex *cex, uint64_t tid)
{
    uint64_t order = cex->heard;
    for (size_t i = 0; i < cex->nevents; i++)
        if (cex->events[i].tid == tid)
            order = cex->events[i].order + 1;
    return order;
}

/* Is this row of what a thread waits in? */
static bool is_begun(const struct step *last, const struct step *blocked)
{
    return last->kind == STEP_ACTION && last->at->line == blocked->at->line &&
           !strcmp(last->verb, blocked->verb);
}

/* Returns what the thread waits in: a system call is called as the program has called it. */
static const char *verb_of_wait(const struct cex_thread *thread)
{
    const char *call = cex_call(&thread->stack);
    bool is_syscall = thread->action == VM_ACT_SYSCALL || thread->action == VM_ACT_FUTEX;
    return is_syscall && call ? call + strspn(call, "_") : vm_action_text(thread->action);
}

/* Makes a row, which tells that the wait was begun, the one that tells that it does not end.
 * False if that needs one of its own, as the row is of others as well. */
static bool take_last(struct step *last, const struct step *blocked)
{
    if (last->action == VM_ACT_SYSCALL && strcmp(last->verb, blocked->verb) != 0)
        return false;
    if (last->times > 1) {
        last->times--;
        return false;
    }
    last->kind = STEP_BLOCKED;
    return true;
}

/* Adds the threads that can never go on, each where it came to its wait. */
static void add_blocked(struct steps *steps, const struct cex *cex)
{
    bool told_where = cex->kind == VM_FAULT_DEADLOCK || cex_is_endless(cex);
    for (size_t i = 0; told_where && i < cex->nthreads; i++) {
        const struct cex_thread *thread = &cex->threads[i];
        const struct cex_place *place = cex_user_place(&thread->stack);
        char *inside = cex_waits_in(thread);
        bool told = inside || thread->action == VM_ACT_COND_WAIT ||
                    thread->action == VM_ACT_BARRIER || thread->action == VM_ACT_WAIT ||
                    thread->action == VM_ACT_SYSCALL;
        if (inside)
            keep(steps, inside);
        if (thread->state != CEX_WAITING || !place || cex_is_in_loop(cex, thread->tid))
            continue;
        struct step step = {.kind = STEP_BLOCKED,
                            .tid = thread->tid,
                            .at = place,
                            .stack = &thread->stack,
                            .action = thread->action,
                            .verb = inside ? last_name(inside) : verb_of_wait(thread),
                            .object = report_has_name(thread->object) ? thread->object : "",
                            .type = "",
                            .times = 1,
                            .order = last_order(cex, thread->tid)};
        if (thread->action == VM_ACT_JOIN && thread->owner) {
            step.object = keep(steps, check_format("thread %" PRIu64, thread->owner));
        } else {
            step.owner = thread->owner;
        }
        for (size_t k = steps->n; told && k-- > 0;) /* its last row says so already */
            if (steps->step[k].tid == step.tid) {
                told = inside ? is_begun(&steps->step[k], &step)
                              : steps->step[k].action == step.action;
                told = told && take_last(&steps->step[k], &step);
                break;
            }
        if (!told)
            insert_step(steps, step);
    }
}

/* Returns the access that was wrong, from the machine's message: "write of 4 bytes out of
 * bounds: slot[2], which ...", "read of s" after a free, "f at x.c:1 (write of done) and
 * ...". */
static char *wrong_access(const struct cex *cex)
{
    const char *message = cex->message ? cex->message : "", *paren = strstr(message, " (");
    bool race = cex->kind == VM_FAULT_RACE || cex->kind == VM_FAULT_FREE_RACE;
    bool brief = race || cex->kind == VM_FAULT_USE_AFTER_FREE || cex->kind == VM_FAULT_OUTLIVED;
    const char *what = race && paren ? paren + 2 : message;
    size_t verb = strcspn(what, " ");
    const char *object = strstr(what, brief ? " of " : ": ");
    if (!object ||
        (strncmp(what, "read ", 5) && strncmp(what, "write ", 6) && strncmp(what, "free ", 5)))
        return NULL;
    object += brief ? 4 : 2;
    int n = (int)strcspn(object, race ? ")" : ",");
    char *text = check_format("%.*s %.*s: ", (int)verb, what, n, object);
    char *of = strstr(text, " of "); /* behind it is the function that has the variable */
    if (of)
        strcpy(of, ": ");
    return text;
}

static char *error_text(const struct cex *cex)
{
    char *access = wrong_access(cex);
    char *text = check_format("%s%s", access ? access : "", vm_fault_text(cex->kind));
    for (char *c = text + (access ? strlen(access) : 0); *c; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    free(access);
    return text;
}

/* Adds where threads run forever. */
static void add_loops(struct steps *steps, const struct cex *cex)
{
    for (size_t i = 0; i < cex->nloops; i++)
        if (cex_thread(cex, cex->loops[i].tid))
            add_step(steps, (struct step){.kind = STEP_ERROR,
                                          .tid = cex->loops[i].tid,
                                          .at = cex_user_place(&cex->loops[i].stack),
                                          .stack = &cex->loops[i].stack,
                                          .verb = "",
                                          .object = "",
                                          .type = "",
                                          .text = "FOREVER",
                                          .times = 1,
                                          .order = cex->heard});
}

static void add_error(struct steps *steps, const struct cex *cex)
{
    const struct cex_place *place = cex_user_place(&cex->stack);
    add_loops(steps, cex);
    if (cex->nloops || !cex->failed || !cex->tid || cex->kind == VM_FAULT_DEADLOCK)
        return;
    add_step(steps, (struct step){.kind = STEP_ERROR,
                                  .tid = cex->tid,
                                  .at = place ? place : &nowhere,
                                  .stack = &cex->stack,
                                  .verb = "",
                                  .object = "",
                                  .type = "",
                                  .text = keep(steps, error_text(cex)),
                                  .times = 1,
                                  .order = cex->heard});
}

/* ---- all of it ------------------------------------------------------------------- */

static bool is_alike(const struct step *a, const struct step *b)
{
    char *one = step_text(a), *two = step_text(b);
    bool alike = a->kind == b->kind && a->tid == b->tid && a->at->line == b->at->line &&
                 !strcmp(a->at->file ? a->at->file : "", b->at->file ? b->at->file : "") &&
                 !strcmp(one, two);
    free(one);
    free(two);
    return alike;
}

static bool is_same_call(const struct step *last, const struct step *step)
{
    return last->kind == STEP_ACTION && last->tid == step->tid &&
           last->at->line == step->at->line && !strcmp(last->verb, step->verb);
}

/* Adds an event.  What a thread repeats is one step; so are the parts of a library's
 * function. */
static void add_event(struct steps *steps, const struct cex_event *event)
{
    struct step step = step_of(steps, event);
    struct step *last = steps->n ? &steps->step[steps->n - 1] : NULL;
    step.part = is_part(event);
    bool within = last && (last->kind == STEP_CHOICE || last->kind == STEP_THROW);
    if (step.part && within && steps->n > 1 && is_same_call(last - 1, &step))
        last--;
    bool goes_on = last && is_same_call(last, &step);
    if (goes_on && step.part) {
        if (!*last->object)
            last->object = step.object;
        return;
    }
    if (goes_on && last->part) {
        *last = step;
        return;
    }
    if (last && is_alike(last, &step))
        last->times++;
    else
        add_step(steps, step);
}

/* Returns how many of the last steps are the same as those a period before. */
static size_t repeated(const struct steps *steps, size_t period)
{
    size_t n = 0;
    while (n + period < steps->n &&
           is_alike(&steps->step[steps->n - 1 - n], &steps->step[steps->n - 1 - n - period]))
        n++;
    return n;
}

/* Drops what an endless run repeats at its end. */
static void fold_end(struct steps *steps)
{
    enum { LONGEST = 16 };
    for (size_t period = 1; period <= LONGEST; period++) {
        size_t n = repeated(steps, period);
        if (n < period)
            continue;
        steps->n -= n;
        return;
    }
}

/* Returns the one file that all places are in, or NULL. */
static const char *only_file(const struct steps *steps)
{
    const char *file = NULL;
    for (size_t i = 0; i < steps->n; i++) {
        const struct cex_place *at = steps->step[i].at;
        if (!at->line)
            continue;
        if (file && strcmp(file, at->file))
            return NULL;
        file = at->file;
    }
    return file;
}

/* Counts the steps up to the first thread's creation. */
static size_t count_setup(const struct steps *steps)
{
    size_t n = 0;
    while (n < steps->n && steps->step[n].tid == steps->step[0].tid &&
           steps->step[n].kind == STEP_ACTION && steps->step[n].action != VM_ACT_CREATE &&
           steps->step[n].action != VM_ACT_FORK)
        n++;
    return n < steps->n && steps->step[n].action == VM_ACT_CREATE ? n : 0;
}

void steps_make(struct steps *steps, const struct cex *cex, bool all)
{
    struct cex_shared shared = cex_shared_of(cex);
    *steps = (struct steps){.events = cex->events};
    for (size_t i = 0; i < cex->nevents; i++)
        if (step_matters(cex, &shared, &cex->events[i], all))
            add_event(steps, &cex->events[i]);
    free(shared.at);
    if (!all && cex->kind == VM_FAULT_ENDLESS)
        fold_end(steps);
    add_causes(steps, cex);
    add_blocked(steps, cex);
    add_error(steps, cex);
    steps->file = only_file(steps);
    steps->setup = count_setup(steps);
}

/* Returns the mutex that a wait on a condition variable gives up: the one that it takes when it
 * is over, or that the thread took last. */
static uint64_t given_up(const struct cex *cex, size_t wait)
{
    uint64_t tid = cex->events[wait].tid;
    for (size_t k = wait + 1; k < cex->nevents; k++)
        if (cex->events[k].tid == tid && cex->events[k].action == VM_ACT_COND_WAKE)
            return cex->events[k].addr;
    for (size_t k = wait; k-- > 0;)
        if (cex->events[k].tid == tid && cex->events[k].action == VM_ACT_LOCK)
            return cex->events[k].addr;
    return 0;
}

static bool gives_back(const struct cex *cex, size_t at, uint64_t addr)
{
    const struct cex_event *event = &cex->events[at];
    if (event->action == VM_ACT_UNLOCK || event->action == VM_ACT_RWUNLOCK)
        return event->addr == addr;
    bool waits = event->action == VM_ACT_COND_WAIT || event->action == VM_ACT_COND_TIMEDWAIT;
    return waits && given_up(cex, at) == addr;
}

void steps_held(const struct cex *cex, uint64_t tid, uint64_t order,
                void (*see)(void *context, const char *object), void *context)
{
    for (size_t i = 0; i < cex->nevents && cex->events[i].order < order; i++) {
        const struct cex_event *event = &cex->events[i];
        bool takes = event->action == VM_ACT_LOCK || event->action == VM_ACT_RDLOCK ||
                     event->action == VM_ACT_WRLOCK || event->action == VM_ACT_COND_WAKE;
        bool released = false;
        if (event->tid != tid || !takes || event->kind != CEX_ACTION ||
            !step_is_of_user(event) || !report_has_name(event->object))
            continue;
        for (size_t k = i + 1; k < cex->nevents && cex->events[k].order < order; k++)
            if (cex->events[k].tid == tid && gives_back(cex, k, event->addr))
                released = true;
        if (!released)
            see(context, event->object);
    }
}
