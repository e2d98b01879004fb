// delete.cpp - see new.h.
#include "libc/cxx/new.h"

IS_LINKED(__cxx_delete_is_ours);

void operator delete(void *p) noexcept
{
    release(p, VM_OBJ_NEW);
}
