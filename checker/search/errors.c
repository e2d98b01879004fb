/* errors.c - see errors.h. */
#include "errors.h"

#include <stdlib.h>

#include "checker/array.h"

static int compare(const void *a, const void *b)
{
    const struct search_error *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->endless != y->endless)
        return x->endless ? 1 : -1;
    if (x->state != y->state)
        return x->state < y->state ? -1 : 1;
    if (x->failure.kind != y->failure.kind)
        return x->failure.kind < y->failure.kind ? -1 : 1;
    return (x->failure.place > y->failure.place) - (x->failure.place < y->failure.place);
}

static bool is_alike(const struct search_error *a, const struct search_error *b)
{
    return a->failure.kind == b->failure.kind && a->failure.place == b->failure.place;
}

void errors_note(struct search_errors *errors, const struct search_error *error)
{
    for (size_t i = 0; i < errors->n; i++)
        if (is_alike(&errors->at[i], error)) {
            if (compare(error, &errors->at[i]) < 0)
                errors->at[i] = *error;
            return;
        }
    ARRAY_PUSH(errors->at, errors->n, errors->max, *error);
}

void errors_sort(struct search_errors *errors)
{
    if (errors->n)
        qsort(errors->at, errors->n, sizeof *errors->at, compare);
}

void errors_fini(struct search_errors *errors)
{
    free(errors->at);
    *errors = (struct search_errors){0};
}
