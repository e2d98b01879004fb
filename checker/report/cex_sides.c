/* cex_sides.c - what an error goes back to, and whether two errors are the same. */
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
