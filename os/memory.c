/* memory.c - mmap: each mapping is an object of its own; it is anonymous, or a private
 * copy of a file's bytes.  What is anonymous and shared, all processes have in common:
 * its object is not copied at a fork, and stays for the others when one unmaps it. */
#include "os/file.h"

enum { PAGE = 4096 };

static size_t whole_pages(long size)
{
    return ((size_t)size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* ---- what a fork does not copy, in the order of its making ------------------------ */

static size_t mapped_count(void)
{
    void *const *list = os_state()->mapped;
    return list ? __divm_obj_size(list) / sizeof *list : 0;
}

static void note_mapped(void *memory)
{
    os_enter();
    struct os_state *state = os_state();
    size_t count = mapped_count();
    if (count)
        __divm_obj_resize(state->mapped, (count + 1) * sizeof memory);
    else
        state->mapped = __divm_obj_make(sizeof memory, VM_OBJ_KERNEL);
    state->mapped[count] = memory;
    __divm_obj_shared(memory);
    os_leave();
}

static size_t place_of(const void *memory)
{
    size_t place = 0, count = mapped_count();
    while (place < count && os_state()->mapped[place] != memory)
        place++;
    return place;
}

static bool is_mapped(const void *memory)
{
    return place_of(memory) < mapped_count();
}

static void forget_mapped(const void *memory)
{
    struct os_state *state = os_state();
    size_t place = place_of(memory), count = mapped_count();
    if (place == count)
        return;
    for (; place + 1 < count; place++)
        state->mapped[place] = state->mapped[place + 1];
    if (count > 1) {
        __divm_obj_resize(state->mapped, (count - 1) * sizeof memory);
        return;
    }
    __divm_obj_free(state->mapped, VM_OBJ_KERNEL);
    state->mapped = NULL;
}

/* ---- system calls ------------------------------------------------------------------ */

static long map(size_t size, long flags, long fd, long offset)
{
    enum { SHARED = 1, FIXED = 16, ANONYMOUS = 32 };
    if (size == 0 || size > INT32_MAX || flags & FIXED || offset % PAGE)
        return -EINVAL_;
    if (flags & ANONYMOUS) {
        void *made = __divm_obj_make(size, flags & SHARED ? VM_OBJ_MAPPED : VM_OBJ_PRIVATE);
        __builtin_memset(made, 0, size);
        if (flags & SHARED)
            note_mapped(made);
        return (long)made;
    }
    if (flags & SHARED)
        __os_error(VM_FAULT_SYSCALL, "mmap: shared mappings of files are not supported");
    unsigned char *made = __divm_obj_make(size, VM_OBJ_PRIVATE);
    __builtin_memset(made, 0, size);
    os_act_files();
    const struct os_open *open = os_open_of(fd);
    bool valid = open && open->node->kind == OS_FILE;
    size_t end = valid ? os_node_size(open->node) : 0, at = (size_t)offset;
    if (at < end)
        __builtin_memcpy(made, open->node->data + at, end - at < size ? end - at : size);
    os_leave();
    if (!valid)
        __divm_obj_free(made, VM_OBJ_PRIVATE);
    return valid ? (long)made : -EBADF_;
}

/* Memory that processes share stays for the others. */
static void unmap(void *memory)
{
    os_enter();
    bool shared = is_mapped(memory), others = shared && os_state()->processes;
    if (!others)
        forget_mapped(memory);
    os_leave();
    if (!others)
        __divm_obj_free(memory, shared ? VM_OBJ_MAPPED : VM_OBJ_PRIVATE);
}

static long remap(unsigned char *old, size_t size)
{
    size_t before = __divm_obj_size(old);
    unsigned char *made = __divm_obj_make(size, VM_OBJ_PRIVATE);
    __builtin_memset(made, 0, size);
    __builtin_memcpy(made, old, before < size ? before : size);
    unmap(old);
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
    unmap((void *)a);
    return 0;
}
