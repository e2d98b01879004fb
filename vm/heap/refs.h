/* refs.h - counts of references.
 *
 * What is counted belongs to the machine that made it, and only that machine's thread counts:
 * an atomic operation for each reference cost two threads a fifth to a third of their time.
 * Another machine that goes on from a state copies it, and gives it back to be released
 * (import.h). */
#ifndef VM_REFS_H
#define VM_REFS_H

#include <stdbool.h>
#include <stdint.h>

static inline void vm_ref_take(uint32_t *refs)
{
    ++*refs;
}

/* Returns true if it was the last one. */
static inline bool vm_ref_drop(uint32_t *refs)
{
    return --*refs == 0;
}

#endif
