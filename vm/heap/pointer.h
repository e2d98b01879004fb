/* pointer.h - pointers as numbers, inside vm/.
 *
 * As hypercall.h says, an object's pointers are the numbers from 2^31 below its beginning to
 * 2^31 above it.  The lower half of one is its offset, if it is not negative: what is out of
 * bounds below is far beyond the end as well. */
#ifndef VM_POINTER_H
#define VM_POINTER_H

#include <stdbool.h>
#include <stdint.h>

#define VM_HOST
#include "vm/hypercall.h"

static inline uint64_t vm_ptr(unsigned region, uint32_t index, uint32_t offset)
{
    return (uint64_t)region << 61 | (uint64_t)index << 32 | offset;
}
/* Returns a pointer to the beginning of the object of a pointer with any offset
 * (vm_ptr_object); the same in half as many bits (vm_ptr_id). */
static inline uint64_t vm_ptr_object(uint64_t p)
{
    return (p + 0x80000000u) & ~0xffffffffull;
}
static inline uint32_t vm_ptr_id(uint64_t p)
{
    return (uint32_t)((p + 0x80000000u) >> 32);
}
/* Returns the region of an id; the index in it. */
static inline unsigned vm_id_region(uint64_t id)
{
    return (unsigned)(id >> 29);
}
static inline uint32_t vm_id_index(uint32_t id)
{
    return id & 0x1fffffffu;
}
static inline unsigned vm_ptr_region(uint64_t p)
{
    return vm_id_region(vm_ptr_id(p));
}
static inline uint32_t vm_ptr_index(uint64_t p)
{
    return vm_id_index(vm_ptr_id(p));
}
/* Returns the pointer so many bytes on.  Out of bounds it still is the object's; too far away
 * it points nowhere. */
static inline uint64_t vm_ptr_add(uint64_t p, int64_t bytes)
{
    int64_t offset;
    bool far = __builtin_add_overflow((int64_t)(int32_t)(uint32_t)p, bytes, &offset) ||
               offset != (int32_t)offset;
    return far ? vm_ptr(VM_ID_COUNT - 1, vm_ptr_index(p), 0) : p + (uint64_t)bytes;
}

#endif
