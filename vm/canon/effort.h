/* effort.h - whether it is worth while to go on asking a cache.
 *
 * Where too little is found, asking is left out for a while, twice as long each time. */
#ifndef VM_EFFORT_H
#define VM_EFFORT_H

#include <stdbool.h>
#include <stdint.h>

/* skip: so many times nothing is to be asked; who asks counts them down. */
struct vm_effort {
    uint32_t tried, found, skip, pause;
};

enum { VM_TRIES = 4096, VM_LONGEST_PAUSE = 1 << 20 };

static inline void vm_effort_init(struct vm_effort *e)
{
    *e = (struct vm_effort){.pause = VM_TRIES};
}

/* enough: so many of VM_TRIES have to be found. */
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
