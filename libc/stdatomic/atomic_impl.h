/* atomic_impl.h - atomic objects that the processor has no instruction for. */
#ifndef LIBC_STDATOMIC_ATOMIC_IMPL_H
#define LIBC_STDATOMIC_ATOMIC_IMPL_H

#include <stdlib.h>

#include "os/mode.h"
#include "os/state.h"
#include "os/wait.h"

enum { ATOMIC_WORDS = 32 }; /* larger values are kept on the heap */

/* A copy of the program's memory, which is read and written in user mode. */
struct atomic_buffer {
    uint64_t word[ATOMIC_WORDS];
    unsigned char *bytes;
};

OS_INLINE void atomic_begin(struct atomic_buffer *b, size_t n)
{
    b->bytes = n <= sizeof b->word ? (unsigned char *)b->word : malloc(n);
}

OS_INLINE void atomic_end(struct atomic_buffer *b)
{
    if (b->bytes != (unsigned char *)b->word)
        free(b->bytes);
}

/* Does an action and comes back in the kernel.  In an atomic section it is a part of that. */
OS_INLINE bool atomic_act(int action, const void *object, size_t n)
{
    if (__divm_control(VM_REG_FLAGS, VM_GET, 0) & VM_FLAG_KERNEL)
        return false;
    os_act(action, object, n);
    return true;
}

OS_INLINE void atomic_leave(bool acts)
{
    if (acts)
        os_leave();
}

enum { ATOMIC_READS = 1, ATOMIC_WRITES = 2 };

/* Says what the access orders that was done. */
OS_INLINE void atomic_order(const void *object, size_t n, int accesses, int order)
{
    bool acq_rel = order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
    struct vm_large_access access = {.object = object,
                                     .size = n,
                                     .reads = (accesses & ATOMIC_READS) != 0,
                                     .writes = (accesses & ATOMIC_WRITES) != 0,
                                     .acquires = acq_rel || order == __ATOMIC_ACQUIRE ||
                                                 order == __ATOMIC_CONSUME,
                                     .releases = acq_rel || order == __ATOMIC_RELEASE,
                                     .seq_cst = order == __ATOMIC_SEQ_CST};
    __divm_control(VM_REG_ORDERS, VM_ANDNOT, (uint64_t)&access);
}

/* Flags by which vm/load/prepare/load_exchange.c tells what it knows of padding. */
enum {
    ATOMIC_KNOWN = 1,  /* which they are */
    ATOMIC_VALUES = 2, /* and they do not count */
};
_Bool atomic_compare_padded(size_t n, void *object, void *expected, const void *desired,
                            const uint64_t *padding, int how, int success,
                            int failure) __asm__("__atomic_compare_padded");

#endif
