/* reduce.h - the filter between machine and search.
 *
 * Every list of alternatives passes through it on its way to the search, and may
 * come out shorter.  What the machine leaves out by itself (coalescing, private
 * objects, race-freedom) is chosen in struct vm_options; what can be left out only by
 * comparing the candidates belongs here.  One filter per worker. */
#ifndef CHECKER_REDUCE_H
#define CHECKER_REDUCE_H

#include <stddef.h>

#include "vm/vm.h"

struct reduce {
    /* The alternatives of the choice last filtered, ascending; owned. */
    int *kept;
    size_t nkept, max;
};

void reduce_init(struct reduce *reduce);
void reduce_fini(struct reduce *reduce);
/* The machine waits for a choice: which alternatives are to be explored.  At least
 * one; the result is in reduce->kept until the next call. */
void reduce_filter(struct reduce *reduce, const struct vm *vm);

#endif
