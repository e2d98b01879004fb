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

/* What a protection lets be done: what can be written can be read, as on x86-64, and nothing is
 * executed. */
static uint64_t rights_of(long protection)
{
    enum { READ = 1, WRITE = 2 };
    if (protection & WRITE)
        return VM_PAGE_RIGHTS;
    return protection & READ ? VM_PAGE_READ : 0;
}

/* Of what mmap gave; else 0. */
static uint64_t rights_at(const void *at)
{
    return __divm_control(VM_REG_PROTECT, VM_GET, (uint64_t)at);
}

static void set_rights(void *at, size_t size, uint64_t rights)
{
    struct vm_protect request = {at, size, rights};
    __divm_control(VM_REG_PROTECT, VM_SET, (uint64_t)&request);
}

static void check_flags(long flags)
{
    static const struct {
        long flag;
        const char *refused;
    } refused[] = {
        {0x10, "mmap: MAP_FIXED is not supported"},
        {0x40, "mmap: MAP_32BIT is not supported"},
        {0x100, "mmap: MAP_GROWSDOWN is not supported"},
        {0x40000, "mmap: MAP_HUGETLB is not supported"},
        {0x80000, "mmap: MAP_SYNC is not supported"},
        {0x100000, "mmap: MAP_FIXED_NOREPLACE is not supported"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (flags & refused[i].flag)
            __os_error(VM_FAULT_SYSCALL, refused[i].refused);
}

/* New memory that is nobody else's yet. */
static void limit(void *made, size_t size, long protection)
{
    if (rights_of(protection) != VM_PAGE_RIGHTS)
        set_rights(made, size, rights_of(protection));
}

static long map(size_t size, long protection, long flags, long fd, long offset)
{
    enum { SHARED = 1, PRIVATE = 2, ANONYMOUS = 32 };
    check_flags(flags);
    if (size == 0 || size > INT32_MAX || !(flags & (SHARED | PRIVATE)) || offset % PAGE)
        return -EINVAL_;
    if (flags & ANONYMOUS) {
        void *made = __divm_obj_make(size, flags & SHARED ? VM_OBJ_MAPPED : VM_OBJ_PRIVATE);
        __builtin_memset(made, 0, size);
        limit(made, size, protection);
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
    else
        limit(made, size, protection);
    return valid ? (long)made : -EBADF_;
}

/* Each process would have protections of its own for what they share. */
static long protect(void *at, size_t size, long protection)
{
    enum { ALL = 15 /* read, write, execute, semaphores */ };
    uint32_t offset = (uint32_t)(uintptr_t)at;
    if (offset % PAGE || protection & ~(long)ALL)
        return -EINVAL_;
    if (!size)
        return 0;
    os_enter();
    os_act(VM_ACT_SYSCALL, NULL, 0);
    size_t all = __divm_obj_size(at);
    bool inside = all != SIZE_MAX && offset < all && size <= all - offset;
    if (inside && !rights_at(at))
        __os_error(VM_FAULT_SYSCALL,
                   "mprotect of memory that mmap did not give is not supported");
    if (inside && os_state()->processes && is_mapped((char *)at - offset))
        __os_error(VM_FAULT_SYSCALL,
                   "mprotect of memory that processes share is not supported after a fork");
    if (inside)
        set_rights(at, size, rights_of(protection));
    os_leave();
    return inside ? 0 : -ENOMEM_;
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

/* As Linux has it: only what is protected alike moves. */
static long remap(unsigned char *old, size_t size)
{
    size_t before = __divm_obj_size(old);
    uint64_t rights = rights_at(old);
    for (size_t at = PAGE; at < before; at += PAGE)
        if (rights_at(old + at) != rights)
            return -EFAULT_;
    if (!(rights & VM_PAGE_MAPPED))
        return -EFAULT_;
    os_enter();
    bool shared = is_mapped(old), others = shared && os_state()->processes;
    os_leave();
    if (others)
        __os_error(VM_FAULT_SYSCALL,
                   "mremap of memory that processes share is not supported after a fork");
    set_rights(old, before, VM_PAGE_RIGHTS);
    unsigned char *made = __divm_obj_make(size, shared ? VM_OBJ_MAPPED : VM_OBJ_PRIVATE);
    __builtin_memset(made, 0, size);
    __builtin_memcpy(made, old, before < size ? before : size);
    set_rights(made, size, rights & VM_PAGE_RIGHTS);
    if (shared)
        note_mapped(made);
    unmap(old);
    return (long)made;
}

long os_memory_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    enum { MMAP = 9, MPROTECT = 10, MUNMAP = 11, MREMAP = 25, MAYMOVE = 1 };
    size_t size = whole_pages(number == MREMAP ? c : b);
    if (number == MMAP)
        return map(size, c, d, e, f);
    if (number == MPROTECT)
        return protect((void *)a, size, c);
    if ((uint32_t)a || __divm_obj_size((void *)a) != whole_pages(b))
        return -EINVAL_; /* only as a whole */
    if (number == MREMAP)
        return d & MAYMOVE ? remap((unsigned char *)a, size) : -ENOMEM_;
    unmap((void *)a);
    return 0;
}
