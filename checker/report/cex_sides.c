/* cex_sides.c - the causes of an error and its text, whether two errors are the same, which
 * thread went wrong, and what threads share. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "checker/report/cex.h"

const struct cex_side *cex_other(const struct cex *cex)
{
    for (size_t i = cex->nsides; i-- > 0;)
        if (strcmp(cex->sides[i].what, "allocation") != 0 && cex->sides[i].tid != cex->tid)
            return &cex->sides[i];
    return NULL;
}

static bool is_same_place(const struct cex_place *a, const struct cex_place *b)
{
    return a && b ? a->line == b->line && !strcmp(a->file, b->file) : !a && !b;
}

/* Does a thread wait for a lock that leads back to it, from owner to owner? */
static bool is_in_cycle(const struct cex *cex, const struct cex_thread *thread)
{
    const struct cex_thread *at = thread;
    for (size_t i = 0; at && i < cex->nthreads; i++) {
        at = at->state == CEX_WAITING && at->owner ? cex_thread(cex, at->owner) : NULL;
        if (at == thread)
            return true;
    }
    return false;
}

/* Does some thread of the circle wait at this place? */
static bool waits_at(const struct cex *cex, const struct cex_place *place)
{
    for (size_t i = 0; i < cex->nthreads; i++)
        if (is_in_cycle(cex, &cex->threads[i]) &&
            is_same_place(place, cex_user_place(&cex->threads[i].stack)))
            return true;
    return false;
}

/* Has a circle, and all places of it are of the other one's? */
static bool is_circle_in(const struct cex *cex, const struct cex *other)
{
    size_t n = 0;
    for (size_t i = 0; i < cex->nthreads; i++) {
        if (!is_in_cycle(cex, &cex->threads[i]))
            continue;
        if (!waits_at(other, cex_user_place(&cex->threads[i].stack)))
            return false;
        n++;
    }
    return n > 0;
}

/* In a deadlock the circle counts, and not where others wait who have nothing to do with it. */
static bool is_same_circle(const struct cex *a, const struct cex *b)
{
    return is_circle_in(a, b) && is_circle_in(b, a);
}

bool cex_is_same_error(const struct cex *a, const struct cex *b)
{
    const struct cex_side *x = cex_other(a), *y = cex_other(b);
    const struct cex_place *here = cex_user_place(&a->stack),
                           *there = cex_user_place(&b->stack);
    if (a->kind != b->kind)
        return false;
    if (a->kind == VM_FAULT_DEADLOCK)
        return is_same_circle(a, b);
    return x && y && is_same_place(here, cex_user_place(&y->stack)) &&
           is_same_place(there, cex_user_place(&x->stack));
}

bool cex_forks(const struct cex *cex)
{
    for (size_t i = 0; i < cex->nevents; i++)
        if (cex->events[i].kind == CEX_ACTION && cex->events[i].action == VM_ACT_FORK)
            return true;
    return false;
}

const struct cex_side *cex_allocation(const struct cex *cex)
{
    for (size_t i = 0; i < cex->nsides; i++)
        if (!strcmp(cex->sides[i].what, "allocation"))
            return &cex->sides[i];
    return NULL;
}

static int compare_touches(const void *a, const void *b)
{
    const struct cex_touch *x = a, *y = b;
    uint64_t of_x = x->addr >> 32, of_y = y->addr >> 32;
    if (of_x != of_y)
        return of_x < of_y ? -1 : 1;
    return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static bool is_of_shared(const struct cex_shared *shared, size_t i)
{
    const struct cex_touch *touch = &shared->at[i];
    return i + 1 < shared->n && touch[1].addr >> 32 == touch->addr >> 32 &&
           touch[1].tid != touch->tid;
}

struct cex_shared cex_shared_of(const struct cex *cex)
{
    struct cex_shared shared = {0};
    size_t max = 0, n = 0;
    for (size_t i = 0; i < cex->nevents; i++) {
        const struct cex_event *event = &cex->events[i];
        struct cex_touch touch = {.tid = event->tid, .addr = event->addr};
        if (event->kind == CEX_ACTION || event->kind == CEX_ACCESS)
            ARRAY_PUSH(shared.at, shared.n, max, touch);
    }
    for (size_t i = 0; i < cex->ntouches; i++)
        ARRAY_PUSH(shared.at, shared.n, max, cex->touches[i]);
    if (shared.n)
        qsort(shared.at, shared.n, sizeof *shared.at, compare_touches);
    for (size_t i = 0; i < shared.n; i++)
        if (is_of_shared(&shared, i))
            shared.at[n++] = shared.at[i];
    shared.n = n;
    return shared;
}

static int compare_objects(const void *a, const void *b)
{
    const struct cex_touch *x = a, *y = b;
    uint64_t of_x = x->addr >> 32, of_y = y->addr >> 32;
    return of_x < of_y ? -1 : of_x > of_y;
}

bool cex_is_shared(const struct cex_shared *shared, uint64_t addr)
{
    const struct cex_touch touch = {.addr = addr};
    return !addr ||
           (shared->n && bsearch(&touch, shared->at, shared->n, sizeof touch, compare_objects));
}

bool cex_has_failed(const struct cex *cex, const struct cex_thread *thread)
{
    return cex->failed && cex->kind != VM_FAULT_DEADLOCK && !cex_is_endless(cex) &&
           !cex_is_query(cex) && thread->tid == cex->tid;
}

bool cex_is_end_race(const struct cex *cex)
{
    return cex->kind == VM_FAULT_FREE_RACE || cex->kind == VM_FAULT_END_RACE;
}

bool cex_is_query(const struct cex *cex)
{
    return cex->kind == VM_FAULT_NEVER || cex->kind == VM_FAULT_REACH;
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

char *cex_error_text(const struct cex *cex)
{
    const char *kind = vm_fault_text(cex->kind);
    const char *message = cex->message ? cex->message : "";
    if (!*message)
        return check_strdup(kind);
    size_t n = strlen(kind);
    if (!strncmp(message, kind, n) && !isalnum((unsigned char)message[n]))
        return one_line(check_strdup(message));
    return one_line(check_format("%s: %s", kind, message));
}
