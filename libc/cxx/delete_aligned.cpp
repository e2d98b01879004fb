// delete_aligned.cpp - see new.h.
#include "libc/cxx/new.h"

IS_LINKED(__cxx_delete_aligned_is_ours);

void operator delete(void *p, std::align_val_t) noexcept
{
    release(p, VM_OBJ_ALIGNED);
}
