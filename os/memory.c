/* memory.c - mmap: each mapping is an object of its own; it is anonymous, or has a copy of a
 * file's bytes.  All processes have a shared mapping in common: its object is not copied at a
 * fork, and stays for the others when one unmaps it.  A file that is mapped as shared, for
 * reading, does not change as long as it is, so that a copy will do: a write to it is refused.
 */
#include "os/error.h"
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/syscall.h"
#include "os/wait.h"

enum { PAGE = VM_PAGE_BYTES };
enum { SHARED = 1, PRIVATE = 2, FIXED = 16, ANONYMOUS = 32 };

static size_t whole_pages(long size)
{
    return ((size_t)size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* ---- what a fork does not copy, in the order of its making ----------------------- */

struct os_mapped {
    void *memory;
    struct os_node *node; /* the file that it shows, or NULL */
    long may_write;       /* so was that opened */
};

static size_t mapped_count(void)
{
    const struct os_mapped *list = os_state()->mapped;
    return list ? __divm_obj_size(list) / sizeof *list : 0;
}

static void add_mapped(struct os_mapped mapped)
{
    struct os_state *state = os_state();
    size_t count = mapped_count();
    if (count)
        __divm_obj_resize(state->mapped, (count + 1) * sizeof mapped);
    else
        state->mapped = __divm_obj_make(sizeof mapped, VM_OBJ_KERNEL);
    state->mapped[count] = mapped;
    if (mapped.node)
        mapped.node->maps++;
    __divm_obj_shared(mapped.memory);
}

static size_t place_of(const void *memory)
{
    size_t place = 0, count = mapped_count();
    while (place < count && os_state()->mapped[place].memory != memory)
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
    struct os_node *node = state->mapped[place].node;
    for (; place + 1 < count; place++)
        state->mapped[place] = state->mapped[place + 1];
    if (count > 1) {
        __divm_obj_resize(state->mapped, (count - 1) * sizeof *state->mapped);
    } else {
        __divm_obj_free(state->mapped, VM_OBJ_KERNEL);
        state->mapped = NULL;
    }
    if (!node)
        return;
    node->maps--;
    os_node_unused(node);
}

_Noreturn static void refuse(const char *what)
{
    __os_error(VM_FAULT_SYSCALL, what);
}

/* ---- protections ----------------------------------------------------------------- */

/* Returns the rights that a protection gives: what can be written can be read, as on x86-64,
 * and nothing is executed. */
static uint64_t rights_of(long protection)
{
    enum { READ = 1, WRITE = 2 };
    if (protection & WRITE)
        return VM_PAGE_RIGHTS;
    return protection & READ ? VM_PAGE_READ : 0;
}

/* Returns the rights at an address that mmap gave; else 0. */
static uint64_t rights_at(const void *at)
{
    return __divm_control(VM_REG_PROTECT, VM_GET, (uint64_t)at);
}

static void set_rights(void *at, size_t size, uint64_t rights)
{
    struct vm_protect request = {at, size, rights};
    __divm_control(VM_REG_PROTECT, VM_SET, (uint64_t)&request);
}

static size_t offset_of(const void *at)
{
    return (uintptr_t)at & UINT32_MAX;
}

static void *object_of(void *at)
{
    return (void *)((uintptr_t)at & ~(uintptr_t)UINT32_MAX);
}

/* Are these bytes all inside one object? */
static bool is_inside(const void *at, size_t size)
{
    size_t all = __divm_obj_size(at), offset = offset_of(at);
    return all != SIZE_MAX && offset < all && size <= all - offset;
}

/* Returns how many bytes from there on have the same rights as the first page, up to so
 * many. */
static size_t alike(const char *at, size_t size)
{
    size_t there = PAGE;
    uint64_t rights = rights_at(at);
    while (there < size && rights_at(at + there) == rights)
        there += PAGE;
    return there;
}

/* May the protection be changed?  Each process would have protections of its own for memory
 * that they share. */
static long may_protect(void *at, size_t size, long protection)
{
    if (!is_inside(at, size))
        return -ENOMEM_;
    if (!rights_at(at))
        refuse("mprotect of memory that mmap did not give is not supported");
    for (size_t k = 0; k < size; k += PAGE)
        if (rights_at((char *)at + k) & VM_PAGE_GONE)
            return -ENOMEM_;
    const void *object = object_of(at);
    if (!is_mapped(object))
        return 0;
    if (os_state()->processes)
        refuse("mprotect of memory that processes share is not supported after a fork");
    const struct os_mapped *mapped = &os_state()->mapped[place_of(object)];
    if (!mapped->node || rights_of(protection) != VM_PAGE_RIGHTS)
        return 0;
    if (mapped->may_write)
        refuse("mprotect: shared mappings of files are for reading only");
    return -EACCES_;
}

static long protect(void *at, size_t size, long protection)
{
    enum { ALL = 15 /* read, write, execute, semaphores */ };
    if (offset_of(at) % PAGE || protection & ~(long)ALL)
        return -EINVAL_;
    if (!size)
        return 0;
    os_enter();
    os_act(VM_ACT_SYSCALL, NULL, 0);
    long error = may_protect(at, size, protection);
    if (!error)
        set_rights(at, size, rights_of(protection));
    os_leave();
    return error;
}

/* Protects new memory that no other thread uses yet. */
static void limit(void *made, size_t size, long protection)
{
    if (rights_of(protection) != VM_PAGE_RIGHTS)
        set_rights(made, size, rights_of(protection));
}

/* ---- mmap ------------------------------------------------------------------------ */

static void check_flags(long flags)
{
    static const struct {
        long flag;
        const char *refused;
    } refused[] = {
        {0x40, "mmap: MAP_32BIT is not supported"},
        {0x100, "mmap: MAP_GROWSDOWN is not supported"},
        {0x40000, "mmap: MAP_HUGETLB is not supported"},
        {0x80000, "mmap: MAP_SYNC is not supported"},
        {0x100000, "mmap: MAP_FIXED_NOREPLACE is not supported"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (flags & refused[i].flag)
            refuse(refused[i].refused);
}

/* Maps over a mapping (MAP_FIXED): new pages replace those of a mapping of the same kind.  They
 * are written plainly, so that an unordered use of the old ones is a race. */
static long map_over(void *at, size_t size, long protection, long flags)
{
    if (offset_of(at) % PAGE)
        return -EINVAL_;
    os_enter();
    os_act(VM_ACT_SYSCALL, NULL, 0);
    bool fits = (flags & (ANONYMOUS | SHARED)) == ANONYMOUS && is_inside(at, size) &&
                rights_at(at) && !is_mapped(object_of(at));
    if (!fits)
        refuse(
            "mmap: MAP_FIXED is supported within a private mapping only, for anonymous memory");
    set_rights(at, size, VM_PAGE_RIGHTS);
    os_leave();
    __builtin_memset(at, 0, size);
    set_rights(at, size, rights_of(protection));
    return (long)at;
}

static long map_anonymous(size_t size, long protection, bool shared)
{
    void *made = __divm_obj_make(size, shared ? VM_OBJ_MAPPED : VM_OBJ_PRIVATE);
    __builtin_memset(made, 0, size);
    limit(made, size, protection);
    if (shared) {
        os_enter();
        add_mapped((struct os_mapped){.memory = made});
        os_leave();
    }
    return (long)made;
}

static long may_map(const struct os_open *open, bool shared, bool writes)
{
    if (!open)
        return -EBADF_;
    if (open->node->kind != OS_FILE)
        return -ENODEV_;
    if (!(open->flags & OS_READ) || (shared && writes && !(open->flags & OS_WRITE)))
        return -EACCES_;
    if (shared && writes)
        refuse("mmap: shared mappings of files are for reading only");
    return 0;
}

/* Fills a mapping of a file.  Pages beyond the file's end are there, but nobody can access
 * them. */
static void fill(unsigned char *made, size_t size, const struct os_node *node, size_t at,
                 long protection)
{
    size_t end = os_node_size(node), bytes = at < end ? end - at : 0;
    size_t pages = whole_pages((long)bytes);
    if (bytes)
        __builtin_memcpy(made, node->data + at, bytes < size ? bytes : size);
    limit(made, size, protection);
    if (pages < size)
        set_rights(made + pages, size - pages, 0);
}

static long map_file(size_t size, long protection, bool shared, long fd, long offset)
{
    uint64_t kind = shared ? VM_OBJ_MAPPED : VM_OBJ_PRIVATE;
    unsigned char *made = __divm_obj_make(size, (int)kind);
    __builtin_memset(made, 0, size);
    os_act_files();
    const struct os_open *open = os_open_of(fd);
    long error = may_map(open, shared, rights_of(protection) == VM_PAGE_RIGHTS);
    if (!error)
        fill(made, size, open->node, (size_t)offset, protection);
    if (!error && shared)
        add_mapped((struct os_mapped){made, open->node, open->flags & OS_WRITE});
    os_leave();
    if (error)
        __divm_obj_free(made, kind);
    return error ? error : (long)made;
}

static long map(void *at, size_t size, long protection, long flags, long fd, long offset)
{
    check_flags(flags);
    if (size == 0 || !(flags & (SHARED | PRIVATE)) || offset % PAGE)
        return -EINVAL_;
    if (size > INT32_MAX)
        return -ENOMEM_;
    if (flags & FIXED)
        return map_over(at, size, protection, flags);
    if (flags & ANONYMOUS)
        return map_anonymous(size, protection, flags & SHARED);
    return map_file(size, protection, flags & SHARED, fd, offset);
}

/* ---- munmap and mremap ----------------------------------------------------------- */

/* Unmaps an object.  Memory that processes share stays for the others. */
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

/* Unmaps a part; the object ends with its last pages. */
static void unmap_part(void *at, size_t size)
{
    char *object = object_of(at);
    size_t all = __divm_obj_size(object);
    os_enter();
    os_act(VM_ACT_SYSCALL, NULL, 0);
    if (is_mapped(object) && os_state()->processes)
        refuse("munmap of a part of memory that processes share is not supported");
    set_rights(at, size, VM_PAGE_GONE);
    bool gone = rights_at(object) & VM_PAGE_GONE && alike(object, all) == all;
    os_leave();
    if (gone)
        unmap(object);
}

static long unmap_range(void *at, size_t size)
{
    if (offset_of(at) % PAGE || !size || __divm_obj_size(at) == SIZE_MAX)
        return -EINVAL_;
    if (!is_inside(at, size))
        refuse("munmap of more than one mapping at once is not supported");
    if (!rights_at(at) || (!offset_of(at) && size == whole_pages((long)__divm_obj_size(at))))
        unmap(at);
    else
        unmap_part(at, size);
    return 0;
}

/* Grows or shrinks a mapping.  As on Linux, only a mapping grows that is protected alike. */
static long remap(unsigned char *old, size_t size)
{
    size_t before = __divm_obj_size(old);
    uint64_t rights = rights_at(old);
    bool same = !(rights & VM_PAGE_GONE) && alike((char *)old, before) == before;
    if (!rights || (!same && size > before))
        return -EFAULT_;
    if (!same)
        refuse("mremap that shrinks what is not protected alike is not supported");
    os_enter();
    bool shared = is_mapped(old);
    if (shared && (os_state()->processes || os_state()->mapped[place_of(old)].node))
        refuse("mremap of a file, or after a fork, of what is shared, is not supported");
    os_leave();
    set_rights(old, before, VM_PAGE_RIGHTS);
    unsigned char *made = __divm_obj_make(size, shared ? VM_OBJ_MAPPED : VM_OBJ_PRIVATE);
    __builtin_memset(made, 0, size);
    __builtin_memcpy(made, old, before < size ? before : size);
    set_rights(made, size, rights & VM_PAGE_RIGHTS);
    if (shared) {
        os_enter();
        add_mapped((struct os_mapped){.memory = made});
        os_leave();
    }
    unmap(old);
    return (long)made;
}

long os_memory_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    enum { MMAP = 9, MPROTECT = 10, MUNMAP = 11, MREMAP = 25, MAYMOVE = 1 };
    size_t size = whole_pages(number == MREMAP ? c : b);
    if (number == MMAP)
        return map((void *)a, size, c, d, e, f);
    if (number == MPROTECT)
        return protect((void *)a, size, c);
    if (number == MUNMAP)
        return unmap_range((void *)a, size);
    if ((uint32_t)a || __divm_obj_size((void *)a) != whole_pages(b))
        return -EINVAL_; /* only as a whole */
    return d & MAYMOVE ? remap((unsigned char *)a, size) : -ENOMEM_;
}
