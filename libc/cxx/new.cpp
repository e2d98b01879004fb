// new.cpp - see new.h.
#include "libc/cxx/new.h"

IS_LINKED(__cxx_new_is_ours);

void *operator new(std::size_t size)
{
    return make(size, VM_OBJ_NEW);
}
