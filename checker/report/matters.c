/* matters.c - which events of a counterexample a report tells: those of the user, about objects
 * that threads share.  Libraries keep what they do for themselves. */
#include <string.h>

#include "step.h"

enum shown { NEVER, SHARED, BLOCKED, ALWAYS };

static const enum shown shown_of[] = {
#define VM_ACTION(name, text, orders, reads, shown) shown,
#include "vm/action.def"
};

static bool is_action_shown(const struct cex *cex, const struct cex_shared *shared,
                            const struct cex_event *event)
{
    switch (shown_of[event->action]) {
    case NEVER: return false;
    case SHARED: return event->queried || cex_is_shared(shared, event->addr);
    case BLOCKED:
        return cex->kind == VM_FAULT_DEADLOCK &&
               !(event->call && !strcmp(event->call, "pthread_setname_np"));
    case ALWAYS: break;
    }
    return true;
}

/* Is it the call of a join whose thread goes on with it later, or waits in it at the error?
 * Its end says all. */
static bool is_begun_join(const struct cex *cex, const struct cex_event *event)
{
    const struct cex_thread *thread = cex_thread(cex, event->tid);
    if (event->action != VM_ACT_JOIN || event->ends)
        return false;
    if (thread && thread->state == CEX_WAITING && thread->action == VM_ACT_JOIN)
        return true;
    for (size_t i = 0; i < cex->nevents; i++) {
        const struct cex_event *later = &cex->events[i];
        if (later->order > event->order && later->tid == event->tid &&
            later->action == VM_ACT_JOIN && later->ends)
            return true;
    }
    return false;
}

static bool is_lock_action(enum vm_action action)
{
    return action == VM_ACT_LOCK || action == VM_ACT_TRYLOCK || action == VM_ACT_UNLOCK ||
           action == VM_ACT_RDLOCK || action == VM_ACT_WRLOCK || action == VM_ACT_RWUNLOCK;
}

/* Is it a lock of the C library's own, which fopen or localtime takes?  The user has asked for
 * none. */
static bool is_library_lock(const struct cex_event *event)
{
    static const char *const asks[] = {"pthread_",  "mtx_",      "cnd_",
                                       "call_once", "flockfile", "ftrylockfile"};
    const char *call = event->call;
    if (event->kind != CEX_ACTION || !is_lock_action(event->action) || !call || event->cxx_name)
        return false;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        if (!strncmp(call, asks[i], strlen(asks[i])))
            return false;
    return true;
}

/* Is it what the C++ runtime or library does for itself: counting who holds an exception,
 * making an object of its own once? */
static bool is_runtime_part(const struct cex_event *event)
{
    static const char once[] = "guard variable for std::", runtime[] = "__cxa_";
    if (event->kind != CEX_ACTION)
        return false;
    return !strncmp(event->object, once, sizeof once - 1) ||
           (event->call && !event->cxx_name && !strstr(event->call, "guard") &&
            !strncmp(event->call, runtime, sizeof runtime - 1));
}

/* Does some thread wait for the object of the event, so that this is the error? */
static bool is_waited_for(const struct cex *cex, const struct cex_event *event)
{
    for (size_t i = 0; cex->kind == VM_FAULT_DEADLOCK && i < cex->nthreads; i++)
        if (cex->threads[i].state == CEX_WAITING &&
            !strcmp(cex->threads[i].object, event->object))
            return true;
    return false;
}

bool step_is_of_user(const struct cex_event *event)
{
    return !event->framework && !event->at.library && event->at.line && !is_library_lock(event);
}

bool step_matters(const struct cex *cex, const struct cex_shared *shared,
                  const struct cex_event *event, bool all)
{
    if (all || event->kind == CEX_NOTE || event->kind == CEX_SIGNAL)
        return true;
    bool hidden = is_library_lock(event) || is_runtime_part(event);
    if (event->framework || (hidden && !is_waited_for(cex, event)))
        return false;
    if (event->kind == CEX_ACCESS)
        return cex_is_shared(shared, event->addr);
    if (event->kind == CEX_OUTPUT || event->kind == CEX_CHOICE || event->kind == CEX_THROW)
        return !event->at.library && event->at.line;
    return !event->at.library && event->at.line &&
           (is_action_shown(cex, shared, event) || event->spurious) &&
           !is_begun_join(cex, event);
}
