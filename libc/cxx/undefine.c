/* undefine.c - makes memory of containers undefined that has no elements any more.  They call
 * it where they would tell a sanitizer of addresses which memory they use (patch.sh). */
#include <string.h>

#include "vm/hypercall.h"

/* libc++ passes them as constant, and may change what is there. */
void __cxx_undefine(const void *first, const void *last);

void __cxx_undefine(const void *first, const void *last)
{
    size_t n = (size_t)((const char *)last - (const char *)first);
    void *undefined = __divm_obj_make(n, VM_OBJ_HEAP);
    memcpy((void *)first, undefined, n);
    __divm_obj_free(undefined, VM_OBJ_HEAP);
}
