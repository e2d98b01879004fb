// new_delete.cpp - the operators that call others, see new.h.
#include "libc/cxx/new.h"

using std::align_val_t;
using std::nothrow_t;
using std::size_t;

#define REPLACEABLE __attribute__((weak))

IF_LINKED(__cxx_new_is_ours);
IF_LINKED(__cxx_new_aligned_is_ours);
IF_LINKED(__cxx_delete_is_ours);
IF_LINKED(__cxx_delete_aligned_is_ours);
IF_LINKED(__cxx_delete_array_is_ours);
IF_LINKED(__cxx_delete_array_aligned_is_ours);

// ---- new -----------------------------------------------------------------------------------

REPLACEABLE void *operator new[](size_t size)
{
    return __cxx_new_is_ours ? make(size, VM_OBJ_ARRAY) : ::operator new(size);
}

REPLACEABLE void *operator new[](size_t size, align_val_t a)
{
    return __cxx_new_aligned_is_ours ? make(size, a, VM_OBJ_ALIGNED_ARRAY) : ::operator new(size, a);
}

REPLACEABLE void *operator new(size_t size, const nothrow_t &) noexcept
try {
    return ::operator new(size);
} catch (...) {
    return nullptr;
}

REPLACEABLE void *operator new(size_t size, align_val_t a, const nothrow_t &) noexcept
try {
    return ::operator new(size, a);
} catch (...) {
    return nullptr;
}

REPLACEABLE void *operator new[](size_t size, const nothrow_t &) noexcept
try {
    return ::operator new[](size);
} catch (...) {
    return nullptr;
}

REPLACEABLE void *operator new[](size_t size, align_val_t a, const nothrow_t &) noexcept
try {
    return ::operator new[](size, a);
} catch (...) {
    return nullptr;
}

// ---- delete, by a size ---------------------------------------------------------------------

REPLACEABLE void operator delete(void *p, size_t size) noexcept
{
    __cxx_delete_is_ours ? release(p, size, VM_OBJ_NEW) : ::operator delete(p);
}

REPLACEABLE void operator delete(void *p, size_t size, align_val_t a) noexcept
{
    __cxx_delete_aligned_is_ours ? release(p, size, VM_OBJ_ALIGNED) : ::operator delete(p, a);
}

REPLACEABLE void operator delete[](void *p, size_t size) noexcept
{
    bool ours = __cxx_delete_array_is_ours && __cxx_delete_is_ours;
    ours ? release(p, size, VM_OBJ_ARRAY) : ::operator delete[](p);
}

REPLACEABLE void operator delete[](void *p, size_t size, align_val_t a) noexcept
{
    bool ours = __cxx_delete_array_aligned_is_ours && __cxx_delete_aligned_is_ours;
    ours ? release(p, size, VM_OBJ_ALIGNED_ARRAY) : ::operator delete[](p, a);
}

// ---- delete, where a constructor has thrown ------------------------------------------------

REPLACEABLE void operator delete(void *p, const nothrow_t &) noexcept { ::operator delete(p); }
REPLACEABLE void operator delete(void *p, align_val_t a, const nothrow_t &) noexcept { ::operator delete(p, a); }
REPLACEABLE void operator delete[](void *p, const nothrow_t &) noexcept { ::operator delete[](p); }
REPLACEABLE void operator delete[](void *p, align_val_t a, const nothrow_t &) noexcept { ::operator delete[](p, a); }
