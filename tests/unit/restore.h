/* restore.h - a state that a heap goes to, and the test keeps. */
#ifndef UNIT_RESTORE_H
#define UNIT_RESTORE_H

#include "vm/machine.h"

static inline void restore(struct vm_heap *h, const struct vm_root *state)
{
    struct vm_root root = *state;
    vm_root_retain(&root);
    vm_heap_restore(h, &root);
}

#endif
