/* restore.h - states of a heap that a test keeps. */
#ifndef UNIT_RESTORE_H
#define UNIT_RESTORE_H

#include "vm/machine.h"

static inline struct vm_root snapshot(struct vm_heap *h)
{
    vm_inchash_update(h);
    return vm_heap_snapshot(h);
}

/* The state stays the test's. */
static inline void restore(struct vm_heap *h, const struct vm_root *state)
{
    struct vm_root root = *state;
    vm_root_retain(&root);
    vm_heap_restore(h, &root);
}

#endif
