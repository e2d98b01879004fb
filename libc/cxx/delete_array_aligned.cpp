// delete_array_aligned.cpp - see new.h.
#include "libc/cxx/new.h"

IS_LINKED(__cxx_delete_array_aligned_is_ours);
IF_LINKED(__cxx_delete_aligned_is_ours);

void operator delete[](void *p, std::align_val_t alignment) noexcept
{
    __cxx_delete_aligned_is_ours ? release(p, VM_OBJ_ALIGNED_ARRAY) : ::operator delete(p, alignment);
}
