// new.h - operators new and delete.  What each of them makes is of a kind of its own, so that
// the machine knows if another takes it back: free, delete[] for delete, one with an alignment.
//
// A program may replace any of them, and those that it does not replace call what it replaces
// instead, as the standard says.  So an operator that others call has a file of its own, which
// is linked only if the program does not have that one, and replaces a weak constant of theirs:
// then they need not call, but make and free their own kinds.
#ifndef CXX_NEW_H
#define CXX_NEW_H

#include <cstdlib>
#include <new>

#include "libc/internal/allocate.h"

#define INLINE static inline __attribute__((always_inline))

#define IS_LINKED(constant) extern "C" const int constant = 1
#define IF_LINKED(constant) extern "C" __attribute__((weak)) const int constant = 0

// A program's own malloc makes everything.
IF_LINKED(__malloc_is_ours);

INLINE void *try_to_make(std::size_t size, int kind)
{
    return __malloc_is_ours ? allocate(size, kind) : std::malloc(size);
}

__attribute__((noinline)) static void *make_again(std::size_t size, int kind)
{
    for (;;) {
        std::new_handler handler = std::get_new_handler();
        if (!handler)
            throw std::bad_alloc();
        handler();
        if (void *p = try_to_make(size, kind))
            return p;
    }
}

INLINE void *make(std::size_t size, int kind)
{
    void *p = try_to_make(size, kind);
    return p ? p : make_again(size, kind);
}

// Each object has the greatest alignment that there is.
INLINE void *make(std::size_t size, std::align_val_t alignment, int kind)
{
    if (std::size_t(alignment) & (std::size_t(alignment) - 1))
        throw std::bad_alloc();
    return make(size, kind);
}

INLINE void release(void *p, uint64_t kind)
{
    if (!p)
        return;
    __malloc_is_ours ? __divm_obj_free(p, kind) : std::free(p);
}

INLINE void release(void *p, std::size_t size, uint64_t kind)
{
    release(p, kind | VM_OBJ_SIZED | size << VM_OBJ_DETAIL);
}

#endif
