/* allocate.h - a new object, or NULL and ENOMEM: for malloc and C++'s operators. */
#ifndef ALLOCATE_H
#define ALLOCATE_H

#include <errno.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "vm/hypercall.h"
#ifdef __cplusplus
}
#endif

static inline __attribute__((always_inline)) int allocation_fails(void)
{
    static const char told[] = "the allocation fails";
    uint64_t boot = __divm_control(VM_REG_BOOT, VM_GET, 0);
    if (!(((const struct vm_boot *)boot)->options & VM_BOOT_MALLOC_FAIL) ||
        !__divm_choose(2, NULL))
        return 0;
    __divm_trace(VM_TRACE_CHOICE, told, sizeof told - 1);
    return 1;
}

/* Returns a new object.  Offsets have 32 bits: more than fits into one object is more than
 * there is. */
static inline __attribute__((always_inline)) void *allocate(size_t n, int kind)
{
    if (n > INT32_MAX || allocation_fails()) {
        errno = ENOMEM;
        return NULL;
    }
    return __divm_obj_make(n, kind);
}

#endif
