/* effort.h - decides whether asking a cache is worth while.
 *
 * If too little is found, the cache is not asked for a while, twice as long each time. */
#ifndef VM_EFFORT_H
#define VM_EFFORT_H

#include <stdbool.h>
#include <stdint.h>

/* skip: how many more times the cache is not to be asked; the caller counts it down. */
struct vm_effort {
    uint32_t tried, found, skip, pause;
};

enum { VM_TRIES = 4096, VM_LONGEST_PAUSE = 1 << 20 };

static inline void vm_effort_init(struct vm_effort *e)
{
    *e = (struct vm_effort){.pause = VM_TRIES};
}

/* Counts one question.  enough: of VM_TRIES questions so many must find something. */
static inline void vm_effort_count(struct vm_effort *e, bool found, uint32_t enough)
{
    e->found += found;
    if (++e->tried < VM_TRIES)
        return;
    if (e->found >= enough) {
        e->pause = VM_TRIES;
    } else {
        e->skip = e->pause;
        e->pause = e->pause < VM_LONGEST_PAUSE ? 2 * e->pause : VM_LONGEST_PAUSE;
    }
    e->tried = e->found = 0;
}

#endif
