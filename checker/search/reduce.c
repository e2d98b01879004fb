/* reduce.c - the filter between machine and search: it keeps all alternatives. */
#include "reduce.h"

#include <assert.h>
#include <stdlib.h>

#include "checker/array.h"

void reduce_init(struct reduce *reduce)
{
    *reduce = (struct reduce){0};
}

void reduce_fini(struct reduce *reduce)
{
    free(reduce->kept);
}

void reduce_filter(struct reduce *reduce, const struct vm *vm)
{
    struct vm_choice choice = vm_pending(vm);
    assert(choice.n > 0);
    reduce->nkept = 0;
    for (int i = 0; i < choice.n; i++)
        ARRAY_PUSH(reduce->kept, reduce->nkept, reduce->max, i);
}
