/* undefine.c - containers whose memory goes on without some of their elements.  They call it
 * where they would tell a sanitizer of addresses which memory they use (patch.sh). */
#include <string.h>

#include "vm/hypercall.h"

void __cxx_undefine(char *first, const char *last)
{
    size_t n = (size_t)(last - first);
    void *undefined = __divm_obj_make(n, VM_OBJ_HEAP);
    memcpy(first, undefined, n);
    __divm_obj_free(undefined, VM_OBJ_HEAP);
}
