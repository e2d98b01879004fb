// new_aligned.cpp - see new.h.
#include "libc/cxx/new.h"

IS_LINKED(__cxx_new_aligned_is_ours);

void *operator new(std::size_t size, std::align_val_t alignment)
{
    return make(size, alignment, VM_OBJ_ALIGNED);
}
