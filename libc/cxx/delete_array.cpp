// delete_array.cpp - see new.h.
#include "libc/cxx/new.h"

IS_LINKED(__cxx_delete_array_is_ours);
IF_LINKED(__cxx_delete_is_ours);

void operator delete[](void *p) noexcept
{
    __cxx_delete_is_ours ? release(p, VM_OBJ_ARRAY) : ::operator delete(p);
}
