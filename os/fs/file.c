/* file.c - descriptors, and the system calls that take one.
 *
 * Reading and writing go through a buffer of the kernel's, filled or emptied in user
 * mode: so a race on the program's memory is found. */
#include "os/error_number.h"
#include "os/fs/capture.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/path.h"
#include "os/fs/pipe.h"
#include "os/fs/poll.h"
#include "os/fs/record_lock.h"
#include "os/fs/transfer.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/random.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/syscall.h"
#include "os/thread.h"

#define SYSCALL(number, name) SYS_##name = number,
enum {
#include "os/syscall.def"
};
#undef SYSCALL

/* Where there are no sockets, and no sets to poll. */
__attribute__((weak)) long os_socket_read(struct os_open *open, unsigned char *buffer,
                                          size_t size, struct os_message *message)
{
    (void)open, (void)buffer, (void)size, (void)message;
    return -EBADF_;
}

__attribute__((weak)) long os_socket_write(struct os_open *open, const unsigned char *buffer,
                                           size_t size, const struct os_message *message)
{
    (void)open, (void)buffer, (void)size, (void)message;
    return -EBADF_;
}

__attribute__((weak)) void os_poll_forget(const struct os_open *open)
{
    (void)open;
}

__attribute__((weak)) void os_socket_close(struct os_node *node)
{
    (void)node;
}

/* ---- the table ------------------------------------------------------------------- */

static void make_device(struct os_node *folder, const char *name, size_t length,
                        enum os_node_kind kind)
{
    os_enter_name(folder, name, length, os_node_make(kind, 0666));
}

static void make_tree(void)
{
    struct os_node *root = os_node_make(OS_FOLDER, 0755);
    root->parent = root;
    root->links = 1;
    os_files()->folder = root;
    root->currents = 1;
    struct os_node *dev = os_node_make(OS_FOLDER, 0755), *tmp = os_node_make(OS_FOLDER, 01777);
    os_enter_name(root, "dev", 3, dev);
    os_enter_name(root, "tmp", 3, tmp);
    make_device(dev, "null", 4, OS_NULL);
    make_device(dev, "zero", 4, OS_ZERO);
    make_device(dev, "stdin", 5, OS_STDIN);
    make_device(dev, "stdout", 6, OS_STDOUT);
    make_device(dev, "stderr", 6, OS_STDERR);
    static const int flags[] = {OS_READ, OS_WRITE, OS_WRITE};
    for (int k = 0; k < 3; k++)
        os_open_node(os_node(6 + k), flags[k], 0);
    make_device(dev, "random", 6, OS_RANDOM);
    make_device(dev, "urandom", 7, OS_RANDOM);
    os_capture();
}

struct os_files *os_files(void)
{
    struct os_own *own = os_own(os_self());
    if (!own->files) {
        own->files = __divm_obj_make(sizeof *own->files, VM_OBJ_KERNEL);
        *own->files = (struct os_files){.mask = 022};
        make_tree();
    }
    return own->files;
}

static long fd_count(void)
{
    const struct os_files *files = os_files();
    return (long)((__divm_obj_size(files) - sizeof *files) / sizeof files->fd[0]);
}

static void set_fd_count(long count)
{
    struct os_files *files = os_files();
    long old = fd_count();
    __divm_obj_resize(files, sizeof *files + (size_t)count * sizeof files->fd[0]);
    for (long k = old; k < count; k++)
        files->fd[k] = (struct os_descriptor){0};
}

static struct os_open *taken(long fd)
{
    return fd >= 0 && fd < fd_count() ? os_files()->fd[fd].open : NULL;
}

struct os_open *os_open_any(long fd)
{
    struct os_open *open = taken(fd);
    return open && !(open->flags & OS_OPENING) ? open : NULL;
}

struct os_open *os_open_of(long fd)
{
    struct os_open *open = os_open_any(fd);
    return open && !(open->flags & OS_PLACE) ? open : NULL;
}

/* Returns the smallest free descriptor from `least` on. */
static long free_fd(long least)
{
    while (taken(least))
        least++;
    return least < OS_FD_MAX ? least : -EMFILE_;
}

bool os_has_descriptor(void)
{
    return free_fd(0) >= 0;
}

static void set_fd(long fd, struct os_open *open, long close_on_exec)
{
    if (fd >= fd_count())
        set_fd_count(fd + 1);
    os_files()->fd[fd] = (struct os_descriptor){open, close_on_exec};
}

static void refresh(struct os_node *node)
{
    if (node->kind == OS_PIPE || node->kind == OS_EVENT)
        os_pipe_refresh(node);
    if (node->socket && !node->readers) /* O_PATH does not keep one open */
        os_socket_close(node);
}

long os_open_node(struct os_node *node, int flags, long close_on_exec)
{
    long fd = free_fd(0);
    if (fd < 0)
        return fd;
    struct os_open *open = __divm_obj_make(sizeof *open, VM_OBJ_KERNEL);
    *open = (struct os_open){.node = node, .flags = flags, .uses = 1};
    set_fd(fd, open, close_on_exec);
    node->opens++;
    node->readers += (flags & OS_READ) != 0;
    node->writers += (flags & OS_WRITE) != 0;
    refresh(node);
    return fd;
}

long os_open_install(struct os_open *open, long close_on_exec)
{
    long fd = free_fd(0);
    if (fd >= 0)
        set_fd(fd, open, close_on_exec);
    return fd;
}

static void leave_unused(void)
{
    long count = fd_count();
    while (count && !os_files()->fd[count - 1].open)
        count--;
    set_fd_count(count);
}

void os_close_taken(long fd)
{
    struct os_open *open = taken(fd);
    os_files()->fd[fd] = (struct os_descriptor){0};
    leave_unused();
    os_record_locks_leave(open->node);
    os_open_release(open);
}

long os_close(long fd)
{
    if (!os_open_any(fd))
        return -EBADF_;
    os_close_taken(fd);
    return 0;
}

void os_open_release(struct os_open *open)
{
    struct os_node *node = open->node;
    if (--open->uses)
        return;
    node->opens--;
    node->readers -= (open->flags & OS_READ) != 0;
    node->writers -= (open->flags & OS_WRITE) != 0;
    os_fifo_leave(open);
    os_poll_forget(open);
    __divm_obj_free(open, VM_OBJ_KERNEL);
    if (node->kind == OS_PIPE && !node->readers && !node->writers)
        os_node_resize(node, 0); /* what nobody has read is gone */
    if (node->kind == OS_PIPE && !node->readers != !node->writers)
        os_poll_edge(node, OS_POLL_ALL);
    refresh(node);
    os_node_unused(node);
}

/* ---- reading and writing --------------------------------------------------------- */

static long read_file(const struct os_node *node, unsigned char *buffer, size_t size,
                      long offset)
{
    size_t end = os_node_size(node), at = (size_t)offset;
    if (at >= end)
        return 0;
    size_t taken = size < end - at ? size : end - at;
    __builtin_memcpy(buffer, node->data + at, taken);
    return (long)taken;
}

static long write_file(struct os_node *node, const unsigned char *buffer, size_t size,
                       long offset)
{
    size_t end = (size_t)offset + size;
    if (size)
        os_node_changes(node);
    if (size && end > os_node_size(node))
        os_node_resize(node, end);
    if (size)
        __builtin_memcpy(node->data + offset, buffer, size);
    return (long)size;
}

static long read_input(struct os_open *open, unsigned char *buffer, size_t size)
{
    const struct vm_file *input = os_input();
    size_t left = input ? input->size - (size_t)open->offset : 0;
    size_t taken = size < left ? size : left;
    if (taken)
        __builtin_memcpy(buffer, input->data + open->offset, taken);
    open->offset += (long)taken;
    return (long)taken;
}

/* Reads.  offset: where, or -1: where the open file is. */
static long read_open(struct os_open *open, unsigned char *buffer, size_t size, long offset,
                      struct os_message *message)
{
    if (!open || !(open->flags & OS_READ))
        return -EBADF_;
    if (message && open->node->kind != OS_SOCKET)
        return -ENOTSOCK_;
    switch (open->node->kind) {
    case OS_FILE: {
        long result = read_file(open->node, buffer, size, offset < 0 ? open->offset : offset);
        if (offset < 0)
            open->offset += result;
        return result;
    }
    case OS_FOLDER: return -EISDIR_;
    case OS_LINK: return -EBADF_;
    case OS_PIPE:
    case OS_EVENT: return offset < 0 ? os_pipe_read(open, buffer, size) : -ESPIPE_;
    case OS_SOCKET: return offset < 0 ? os_socket_read(open, buffer, size, message) : -ESPIPE_;
    case OS_EPOLL: return -EINVAL_;
    case OS_ZERO: __builtin_memset(buffer, 0, size); return (long)size;
    case OS_RANDOM: os_random_fill(os_random(size), buffer, size); return (long)size;
    case OS_STDIN: return read_input(open, buffer, size);
    case OS_NULL:
    case OS_STDOUT:
    case OS_STDERR: return 0;
    }
    return -EBADF_;
}

static long write_open(struct os_open *open, const unsigned char *buffer, size_t size,
                       long offset, const struct os_message *message)
{
    if (!open || !(open->flags & OS_WRITE))
        return -EBADF_;
    if (message && open->node->kind != OS_SOCKET)
        return -ENOTSOCK_;
    switch (open->node->kind) {
    case OS_FILE:
        if (offset >= 0)
            return write_file(open->node, buffer, size, offset);
        if (open->flags & OS_APPEND)
            open->offset = (long)os_node_size(open->node);
        write_file(open->node, buffer, size, open->offset);
        open->offset += (long)size;
        return (long)size;
    case OS_FOLDER: return -EISDIR_;
    case OS_LINK: return -EBADF_;
    case OS_PIPE:
    case OS_EVENT: return offset < 0 ? os_pipe_write(open, buffer, size) : -ESPIPE_;
    case OS_SOCKET: return offset < 0 ? os_socket_write(open, buffer, size, message) : -ESPIPE_;
    case OS_EPOLL: return -EINVAL_;
    case OS_STDOUT:
    case OS_STDERR:
        os_output(open->node->kind == OS_STDOUT ? 1 : 2, buffer, size);
        return (long)size;
    case OS_NULL:
    case OS_ZERO:
    case OS_RANDOM:
    case OS_STDIN: return (long)size;
    }
    return -EBADF_;
}

static unsigned char *buffer_make(size_t size)
{
    return size ? __divm_obj_make(size, VM_OBJ_KERNEL) : NULL;
}

static void buffer_free(unsigned char *buffer)
{
    if (buffer)
        __divm_obj_free(buffer, VM_OBJ_KERNEL);
}

static long transfer(bool writes, long fd, unsigned char *data, size_t size, long offset,
                     struct os_message *message)
{
    long result;
    bool again;
    if (size > INT32_MAX)
        return -EINVAL_;
    do {
        unsigned char *buffer = buffer_make(size);
        if (writes && size)
            __builtin_memcpy(buffer, data, size);
        if (writes && buffer)
            __divm_obj_shared(buffer); /* pointers in it, that is */
        os_act_files();
        result = writes ? write_open(os_open_of(fd), buffer, size, offset, message)
                        : read_open(os_open_of(fd), buffer, size, offset, message);
        os_leave();
        if (!writes && result > 0) /* of a datagram, it may be more than there is room for */
            __builtin_memcpy(data, buffer, (size_t)result < size ? (size_t)result : size);
        os_enter();
        buffer_free(buffer);
        os_leave();
        again = result == -EINTR_ && os_signal_take() && !os_is_cancelled(os_self());
        if (result == -EPIPE_)
            os_signal_take();
    } while (again);
    return result;
}

struct vector {
    unsigned char *base;
    size_t size;
}; /* struct iovec */

/* Checks a list of parts, which may be 1,024.  Returns 0, or what is wrong with it, or before
 * that with the descriptor. */
static long check_vector(bool writes, long fd, const struct vector *vector, long count)
{
    enum { MOST = 1024 };
    bool good = count >= 0 && count <= MOST;
    size_t size = 0;
    for (long k = 0; good && k < count; k++) {
        size += vector[k].size;
        good = vector[k].size <= INT32_MAX && size <= INT32_MAX;
    }
    if (good)
        return 0;
    os_act_files();
    const struct os_open *open = os_open_of(fd);
    long error = open && open->flags & (writes ? OS_WRITE : OS_READ) ? -EINVAL_ : -EBADF_;
    os_leave();
    return error;
}

/* Transfers all parts at once, since a pipe takes a transfer as a whole. */
long os_transfer_vector(bool writes, long fd, const void *list, long count,
                        struct os_message *message)
{
    const struct vector *vector = list;
    size_t size = 0, done = 0;
    long error = check_vector(writes, fd, vector, count);
    if (error)
        return error == -EINVAL_ && message && count > 0 ? -EMSGSIZE_ : error;
    for (long k = 0; k < count; k++)
        size += vector[k].size;
    if (count == 1)
        return transfer(writes, fd, vector->base, size, -1, message);
    unsigned char *all = buffer_make(size);
    for (long k = 0; writes && k < count; done += vector[k++].size)
        if (vector[k].size)
            __builtin_memcpy(all + done, vector[k].base, vector[k].size);
    long result = transfer(writes, fd, all, size, -1, message);
    done = 0;
    for (long k = 0; !writes && k < count && (long)done < result; k++) {
        size_t part =
            (size_t)result - done < vector[k].size ? (size_t)result - done : vector[k].size;
        if (part)
            __builtin_memcpy(vector[k].base, all + done, part);
        done += part;
    }
    os_enter();
    buffer_free(all);
    os_leave();
    return result;
}

long os_transfer(bool writes, long fd, void *data, size_t size, struct os_message *message)
{
    return transfer(writes, fd, data, size, -1, message);
}

/* ---- the other calls ------------------------------------------------------------- */

static long seek(long fd, long offset, long whence)
{
    struct os_open *open = os_open_of(fd);
    if (!open)
        return -EBADF_;
    enum os_node_kind kind = open->node->kind;
    if ((kind >= OS_PIPE && kind <= OS_EPOLL) || kind >= OS_STDIN)
        return -ESPIPE_;
    long base = whence == 0 ? 0 : whence == 1 ? open->offset : (long)os_node_size(open->node);
    if (whence < 0 || whence > 2 || base + offset < 0)
        return -EINVAL_;
    return open->offset = base + offset;
}

static long duplicate(long fd, long least, long exact, long close_on_exec)
{
    struct os_open *open = os_open_any(fd);
    if (!open || exact >= OS_FD_MAX || least < 0)
        return !open ? -EBADF_ : exact >= OS_FD_MAX ? -EBADF_ : -EINVAL_;
    if (exact == fd)
        return exact;
    if (exact >= 0 && taken(exact) && !os_open_any(exact))
        return -EBUSY_;
    if (exact >= 0)
        os_close(exact);
    long made = free_fd(exact >= 0 ? exact : least);
    if (made < 0)
        return made;
    open->uses++;
    set_fd(made, open, close_on_exec);
    return made;
}

static long duplicate_to(long fd, long to, long close_on_exec)
{
    return (int)to < 0 ? -EBADF_ : duplicate(fd, 0, to, close_on_exec);
}

static long control(long fd, long command, long argument)
{
    enum { DUPFD, GETFD, SETFD, GETFL, SETFL, DUPFD_CLOEXEC = 1030 };
    enum { O_APPEND = 02000, O_NONBLOCK = 04000 };
    enum { O_PATH = 010000000 };
    struct os_open *open = os_open_any(fd);
    if (!open || (command == SETFL && open->flags & OS_PLACE))
        return -EBADF_;
    int access = open->flags & (OS_READ | OS_WRITE);
    switch (command) {
    case DUPFD: return duplicate(fd, (int)argument, -1, 0);
    case DUPFD_CLOEXEC: return duplicate(fd, (int)argument, -1, 1);
    case GETFD: return os_files()->fd[fd].close_on_exec;
    case SETFD: os_files()->fd[fd].close_on_exec = argument & 1; return 0;
    case GETFL:
        return (access - 1 & (OS_READ | OS_WRITE)) | (open->flags & OS_PLACE ? O_PATH : 0) |
               (open->flags & OS_APPEND ? O_APPEND : 0) |
               (open->flags & OS_NONBLOCK ? O_NONBLOCK : 0);
    case SETFL:
        open->flags = (open->flags & ~(OS_APPEND | OS_NONBLOCK)) |
                      (argument & O_APPEND ? OS_APPEND : 0) |
                      (argument & O_NONBLOCK ? OS_NONBLOCK : 0);
        return 0;
    default: return -EINVAL_;
    }
}

/* struct stat, as libc/arch/divm/kstat.h has it */
struct status {
    uint64_t device, number, links;
    uint32_t mode, user, group, unused;
    uint64_t special;
    int64_t size, block_size, blocks, time[6];
    int64_t rest[3];
};

/* Returns the links of a node.  A folder has ".", too, and ".." in each folder that is in
 * it. */
static uint64_t link_count(const struct os_node *node)
{
    const struct os_entry *list = (const struct os_entry *)node->data;
    uint64_t links = (uint64_t)node->links;
    if (node->kind != OS_FOLDER || !links)
        return links;
    for (size_t k = 0, count = os_entry_count(node); k < count; k++)
        links += list[k].node->kind == OS_FOLDER;
    return links + 1;
}

static uint32_t kind_of(const struct os_node *node)
{
    static const uint32_t kinds[] = {
        [OS_FILE] = 0100000,   [OS_FOLDER] = 0040000, [OS_LINK] = 0120000,
        [OS_PIPE] = 0010000,   [OS_EVENT] = 0010000,  [OS_SOCKET] = 0140000,
        [OS_EPOLL] = 0,        [OS_NULL] = 0020000,   [OS_ZERO] = 0020000,
        [OS_RANDOM] = 0020000, [OS_STDIN] = 0020000,  [OS_STDOUT] = 0020000,
        [OS_STDERR] = 0020000};
    return kinds[node->kind];
}

static void tell(const struct os_node *node, struct status *status)
{
    enum { NOW = 946684800 };
    *status = (struct status){
        .device = 1,
        .number = (uint64_t)node->number,
        .links = link_count(node),
        .mode = kind_of(node) | (uint32_t)node->mode,
        .user = OS_USER,
        .group = OS_USER,
        .size = node->kind == OS_FILE   ? (int64_t)os_node_size(node)
                : node->kind == OS_LINK ? (int64_t)os_node_size(node) - 1
                                        : 0,
        .block_size = 4096,
        .blocks = node->kind == OS_FILE ? (int64_t)(os_node_size(node) + 511) / 512 : 0,
        .time = {NOW, 0, NOW, 0, NOW, 0},
    };
}

/* path NULL: of the descriptor. */
static long tell_status(long at, const char *path, long flags, struct status *status)
{
    enum { NO_AUTOMOUNT = 0x800 };
    struct status found;
    struct os_node *node;
    if (flags & ~(OS_AT_NOFOLLOW | OS_AT_EMPTY_PATH | NO_AUTOMOUNT))
        return -EINVAL_;
    if (path && os_path_size(path) > OS_PATH_MAX)
        return -ENAMETOOLONG_;
    path = OS_PATH_COPY(path);
    os_act_files();
    long error = os_find_node(at, path, flags, &node);
    if (!error)
        tell(node, &found);
    os_leave();
    if (!error)
        *status = found;
    return error;
}

/* Lists struct dirent entries from the place in the folder that the offset says; first "." and
 * "..". */
static long list(struct os_open *open, unsigned char *buffer, size_t size)
{
    if (!open || open->node->kind != OS_FOLDER)
        return open ? -ENOTDIR_ : -EBADF_;
    const struct os_entry *entries = (const struct os_entry *)open->node->data;
    long count = (long)os_entry_count(open->node) + 2;
    size_t done = 0;
    for (; open->offset < count; open->offset++) {
        const struct os_entry *entry = &entries[open->offset - 2];
        bool self = open->offset == 0, up = open->offset == 1;
        const char *name = self ? "." : up ? ".." : entry->name;
        const struct os_node *node = self ? open->node : up ? open->node->parent : entry->node;
        size_t length = self ? 1 : up ? 2 : __divm_obj_size(name) - 1;
        size_t all = (19 + length + 1 + 7) & ~(size_t)7;
        if (done + all > size)
            return done ? (long)done : -EINVAL_;
        unsigned char *to = buffer + done;
        __builtin_memset(to, 0, all);
        *(uint64_t *)to = (uint64_t)node->number;
        *(int64_t *)(to + 8) = open->offset + 1;
        *(uint16_t *)(to + 16) = (uint16_t)all;
        to[18] = (unsigned char)(kind_of(node) >> 12);
        __builtin_memcpy(to + 19, name, length + 1);
        done += all;
    }
    return (long)done;
}

static long on_open(long number, struct os_open *open, long argument, long other)
{
    if (number == SYS_ftruncate && argument < 0)
        return -EINVAL_;
    if (!open)
        return -EBADF_;
    if (number == SYS_fchown)
        return os_change_owner(argument, other);
    if (number == SYS_fchmod)
        open->node->mode = (int)argument & 07777;
    else if (number == SYS_ftruncate &&
             (open->node->kind != OS_FILE || !(open->flags & OS_WRITE)))
        return -EINVAL_;
    else if (number == SYS_ftruncate)
        os_node_resize(open->node, (size_t)argument);
    else if (number != SYS_fsync && number != SYS_fdatasync)
        os_refuse(number, "");
    return 0;
}

static long allocate(struct os_open *open, long mode, long end)
{
    if (!open || !(open->flags & OS_WRITE))
        return -EBADF_;
    if (open->node->kind != OS_FILE || mode || end <= 0)
        return -EINVAL_;
    if ((size_t)end > os_node_size(open->node))
        os_node_resize(open->node, (size_t)end);
    return 0;
}

/* Does a call that neither waits nor moves bytes: one action. */
static long simple(long number, long a, long b, long c, long d)
{
    os_act_files();
    long result = 0;
    switch (number) {
    case SYS_close: result = os_close(a); break;
    case SYS_lseek: result = seek(a, b, c); break;
    case SYS_dup: result = duplicate(a, 0, -1, 0); break;
    case SYS_dup2: result = duplicate_to(a, b, 0); break;
    case SYS_dup3: result = a == b ? -EINVAL_ : duplicate_to(a, b, c != 0); break;
    case SYS_fcntl: result = control(a, b, c); break;
    case SYS_fallocate: result = allocate(os_open_of(a), b, c + d); break;
    case SYS_getdents64: result = list(os_open_of(a), (unsigned char *)b, (size_t)c); break;
    default: result = on_open(number, os_open_of(a), b, c); break;
    }
    os_leave();
    return result;
}

long os_file_syscall(long number, long a, long b, long c, long d)
{
    enum { GETLK = 5, SETLKW = 7 };
    switch (number) {
    case SYS_read: return transfer(false, a, (unsigned char *)b, (size_t)c, -1, NULL);
    case SYS_write: return transfer(true, a, (unsigned char *)b, (size_t)c, -1, NULL);
    case SYS_pread64:
        return d < 0 ? -EINVAL_ : transfer(false, a, (unsigned char *)b, (size_t)c, d, NULL);
    case SYS_pwrite64:
        return d < 0 ? -EINVAL_ : transfer(true, a, (unsigned char *)b, (size_t)c, d, NULL);
    case SYS_ioctl: return os_ioctl_syscall(a, (uint32_t)b, (int *)c);
    case SYS_fstat: return tell_status(a, NULL, 0, (struct status *)b);
    case SYS_stat: return tell_status(OS_AT_CWD, (const char *)a, 0, (struct status *)b);
    case SYS_lstat:
        return tell_status(OS_AT_CWD, (const char *)a, OS_AT_NOFOLLOW, (struct status *)b);
    case SYS_newfstatat: return tell_status(a, (const char *)b, d, (struct status *)c);
    case SYS_readv: return os_transfer_vector(false, a, (const void *)b, c, NULL);
    case SYS_writev: return os_transfer_vector(true, a, (const void *)b, c, NULL);
    case SYS_fcntl:
        return b >= GETLK && b <= SETLKW ? os_record_lock_syscall(a, b, (void *)c)
                                         : simple(number, a, b, c, d);
    default: return simple(number, a, b, c, d);
    }
}

/* ---- processes ------------------------------------------------------------------- */

struct os_files *os_files_copy(const struct os_files *from)
{
    size_t size = __divm_obj_size(from), count = (size_t)fd_count();
    struct os_files *made = __divm_obj_make(size, VM_OBJ_KERNEL);
    __builtin_memcpy(made, from, size);
    made->folder->currents++;
    for (size_t fd = 0; fd < count; fd++) {
        struct os_open *open = made->fd[fd].open;
        if (open && open->flags & OS_OPENING) /* by a thread that is not copied */
            made->fd[fd] = (struct os_descriptor){0};
        else if (open)
            open->uses++;
    }
    return made;
}

void os_files_close(void)
{
    struct os_files *files = os_files();
    for (long fd = fd_count(); fd-- > 0;)
        if (taken(fd))
            os_close_taken(fd);
    files->folder->currents--;
    os_node_unused(files->folder);
    __divm_obj_free(files, VM_OBJ_KERNEL);
}
