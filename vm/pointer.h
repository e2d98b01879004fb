/* pointer.h - pointers as numbers, inside vm/.
 *
 * As hypercall.h says, an object's pointers are the numbers from 2^31 below its beginning to
 * 2^31 above it.  The lower half of one is its offset, if it is not negative: what is out of
 * bounds below is far beyond the end as well. */
#ifndef VM_POINTER_H
#define VM_POINTER_H

#include <stdint.h>

#include "hypercall.h"

static inline uint64_t vm_ptr(unsigned region, uint32_t index, uint32_t offset)
{
    return (uint64_t)region << 61 | (uint64_t)index << 32 | offset;
}
/* The object of a pointer with any offset, as a pointer to its beginning, and that in half as
 * many bits. */
static inline uint64_t vm_ptr_object(uint64_t p)
{
    return (p + 0x80000000u) & ~0xffffffffull;
}
static inline uint32_t vm_ptr_id(uint64_t p)
{
    return (uint32_t)((p + 0x80000000u) >> 32);
}
static inline unsigned vm_ptr_region(uint64_t p)
{
    return vm_ptr_id(p) >> 29;
}
static inline uint32_t vm_ptr_index(uint64_t p)
{
    return vm_ptr_id(p) & 0x1fffffffu;
}

#endif
