/* cex_sides.c - the causes of an error, whether two errors are the same, which thread went
 * wrong, and what threads share. */
#include <string.h>

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

bool cex_is_same_error(const struct cex *a, const struct cex *b)
{
    const struct cex_side *x = cex_other(a), *y = cex_other(b);
    const struct cex_place *here = cex_user_place(&a->stack),
                           *there = cex_user_place(&b->stack);
    return a->kind == b->kind && x && y && is_same_place(here, cex_user_place(&y->stack)) &&
           is_same_place(there, cex_user_place(&x->stack));
}

const struct cex_side *cex_allocation(const struct cex *cex)
{
    for (size_t i = 0; i < cex->nsides; i++)
        if (!strcmp(cex->sides[i].what, "allocation"))
            return &cex->sides[i];
    return NULL;
}

bool cex_is_shared(const struct cex *cex, uint64_t addr)
{
    uint64_t first = 0;
    if (!addr)
        return true;
    for (size_t i = 0; i < cex->nevents; i++) {
        const struct cex_event *event = &cex->events[i];
        bool about = event->kind == CEX_ACTION || event->kind == CEX_ACCESS;
        if (!about || event->addr >> 32 != addr >> 32)
            continue;
        if (first && event->tid != first)
            return true;
        first = event->tid;
    }
    for (size_t i = 0; first && i < cex->ntouches; i++)
        if (cex->touches[i].addr >> 32 == addr >> 32 && cex->touches[i].tid != first)
            return true;
    return false;
}

bool cex_has_failed(const struct cex *cex, const struct cex_thread *thread)
{
    return cex->failed && cex->kind != VM_FAULT_DEADLOCK && !cex_is_endless(cex) &&
           !cex_is_query(cex) && thread->tid == cex->tid;
}

bool cex_is_query(const struct cex *cex)
{
    return cex->kind == VM_FAULT_NEVER || cex->kind == VM_FAULT_REACH;
}
