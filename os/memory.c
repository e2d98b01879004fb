/* memory.c - mmap: each mapping is an object of its own; it is anonymous, or a private
 * copy of a file's bytes. */
#include "os/file.h"

enum { PAGE = 4096 };

static size_t whole_pages(long size)
{
    return ((size_t)size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static long map(size_t size, long flags, long fd, long offset)
{
    enum { SHARED = 1, FIXED = 16, ANONYMOUS = 32 };
    if (size == 0 || size > INT32_MAX || flags & FIXED || offset % PAGE)
        return -EINVAL_;
    if (flags & ANONYMOUS) {
        void *made = __divm_obj_make(size, VM_OBJ_HEAP);
        __builtin_memset(made, 0, size);
        return (long)made;
    }
    if (flags & SHARED)
        __os_error(VM_FAULT_SYSCALL, "mmap: shared mappings of files are not supported");
    unsigned char *made = __divm_obj_make(size, VM_OBJ_HEAP);
    __builtin_memset(made, 0, size);
    os_enter();
    os_act(VM_ACT_SYSCALL, os_files(), sizeof(struct os_files));
    const struct os_open *open = os_open_of(fd);
    bool valid = open && open->node->kind == OS_FILE;
    size_t end = valid ? os_node_size(open->node) : 0, at = (size_t)offset;
    if (at < end)
        __builtin_memcpy(made, open->node->data + at, end - at < size ? end - at : size);
    os_leave();
    if (!valid)
        __divm_obj_free(made);
    return valid ? (long)made : -EBADF_;
}

static long remap(unsigned char *old, size_t size)
{
    size_t before = __divm_obj_size(old);
    unsigned char *made = __divm_obj_make(size, VM_OBJ_HEAP);
    __builtin_memset(made, 0, size);
    __builtin_memcpy(made, old, before < size ? before : size);
    __divm_obj_free(old);
    return (long)made;
}

long os_memory_syscall(long number, long a, long b, long c, long d, long e)
{
    enum { MMAP = 9, MUNMAP = 11, MREMAP = 25, MAYMOVE = 1 };
    size_t size = whole_pages(number == MREMAP ? c : b);
    if (number == MMAP)
        return map(size, c, d, e);
    if ((uint32_t)a || __divm_obj_size((void *)a) != whole_pages(b))
        return -EINVAL_; /* only as a whole */
    if (number == MREMAP)
        return d & MAYMOVE ? remap((unsigned char *)a, size) : -ENOMEM_;
    __divm_obj_free((void *)a);
    return 0;
}
