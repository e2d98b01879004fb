/* path_call.c - system calls that take a path. */
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/path.h"
#include "os/fs/pipe.h"
#include "os/mode.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/syscall.h"
#include "os/thread.h"

#define SYSCALL(number, name) SYS_##name = number,
enum {
#include "os/syscall.def"
};
#undef SYSCALL

enum { AT_EACCESS = 0x200, AT_REMOVEDIR = 0x200, AT_FOLLOW = 0x400 };

/* The arguments of a call: where its paths begin (OS_AT_CWD or a descriptor), copies of these,
 * and what else there is. */
struct call {
    long at, to_at;
    const char *path, *to;
    long argument, flags, group;
};

static int masked(long mode)
{
    return (int)mode & 07777 & ~os_files()->mask;
}

static struct os_node *make_node(const struct os_place *place, enum os_node_kind kind, int mode)
{
    struct os_node *node = os_node_make(kind, mode);
    os_enter_name(place->parent, place->name, place->length, node);
    return node;
}

/* ---- open ------------------------------------------------------------------------ */

enum {
    O_ACCESS = 3,
    O_CREAT = 0100,
    O_EXCL = 0200,
    O_TRUNC = 01000,
    O_APPEND = 02000,
    O_NONBLOCK = 04000,
    O_DIRECTORY = 0200000,
    O_NOFOLLOW = 0400000,
    O_CLOEXEC = 02000000,
    O_PATH = 010000000
};

/* May a file that exists be opened so?  Returns 0 or an error. */
static long may_open(const struct os_node *node, long flags)
{
    static const int wanted[] = {OS_MAY_READ, OS_MAY_WRITE, OS_MAY_READ | OS_MAY_WRITE,
                                 OS_MAY_READ | OS_MAY_WRITE};
    int all = wanted[flags & O_ACCESS] | (flags & O_TRUNC ? OS_MAY_WRITE : 0);
    if (flags & O_CREAT && flags & O_EXCL)
        return -EEXIST_;
    if (node->kind == OS_FOLDER && flags & O_CREAT)
        return -EISDIR_;
    if (node->kind != OS_FOLDER && flags & O_DIRECTORY)
        return -ENOTDIR_;
    if (flags & O_PATH)
        return 0;
    if (node->kind == OS_LINK)
        return -ELOOP_;
    if (node->kind == OS_FOLDER && all & OS_MAY_WRITE)
        return -EISDIR_;
    if (!os_may(node, all))
        return -EACCES_;
    return node->kind == OS_SOCKET ? -ENXIO_ : 0;
}

/* Finds the node of a path that is opened, or makes it if the flags say so. */
static long find_or_make(const struct call *call, long flags, struct os_node **node)
{
    struct os_place place;
    bool stays = flags & O_NOFOLLOW || (flags & O_CREAT && flags & O_EXCL);
    int how = (stays ? OS_STAY : OS_FOLLOW) | (flags & O_CREAT ? OS_CREATE : 0);
    long error = os_find(call->at, call->path, how, &place);
    if (error)
        return error;
    *node = place.node;
    if (place.node)
        return may_open(place.node, flags);
    error = flags & O_CREAT ? os_may_create(&place) : -ENOENT_;
    if (!error)
        *node = make_node(&place, OS_FILE, masked(call->argument));
    return error;
}

static long open_at(const struct call *call)
{
    long flags = call->flags;
    struct os_node *node;
    if (flags & O_PATH)
        flags &= O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    if (flags & O_CREAT && flags & O_DIRECTORY)
        return -EINVAL_;
    if (!os_has_descriptor())
        return -EMFILE_;
    long error = find_or_make(call, flags, &node);
    if (error)
        return error;
    if (flags & O_TRUNC && node->kind == OS_FILE)
        os_node_resize(node, 0);
    _Static_assert(OS_READ == 1 && OS_WRITE == 2, "as bits of 1 + O_RDONLY, O_WRONLY, O_RDWR");
    int access = flags & O_PATH ? OS_PLACE : (int)((flags + 1) & (OS_READ | OS_WRITE));
    int kept = (flags & O_APPEND ? OS_APPEND : 0) | (flags & O_NONBLOCK ? OS_NONBLOCK : 0);
    bool waits = node->kind == OS_PIPE && access != OS_PLACE;
    return (waits ? os_fifo_open : os_open_node)(node, access | kept, (flags & O_CLOEXEC) != 0);
}

/* ---- names are made -------------------------------------------------------------- */

/* Finds the place of a new name. */
static long find_new(long at, const char *path, bool folder, struct os_place *place)
{
    long error = os_find(at, path, OS_NAME, place);
    if (!error && !place->node && place->slash && !folder)
        error = -ENOENT_;
    return error ? error : os_may_create(place);
}

static long make_folder(const struct call *call)
{
    struct os_place place;
    long error = find_new(call->at, call->path, true, &place);
    if (!error)
        make_node(&place, OS_FOLDER, masked(call->argument) & 01777);
    return error;
}

static long make_special(const struct call *call)
{
    enum { KIND = 0170000, FIFO = 0010000, CHARACTER = 0020000, FOLDER = 0040000 };
    enum { BLOCK = 0060000, FILE = 0100000, SOCKET = 0140000 };
    struct os_place place;
    long kind = call->argument & KIND;
    if (kind == FOLDER)
        return -EPERM_;
    bool device = kind == CHARACTER || kind == BLOCK, file = kind == 0 || kind == FILE;
    if (!device && !file && kind != FIFO && kind != SOCKET)
        return -EINVAL_;
    long error = find_new(call->at, call->path, false, &place);
    if (error || device)
        return error ? error : -EPERM_;
    make_node(&place,
              file           ? OS_FILE
              : kind == FIFO ? OS_PIPE
                             : OS_SOCKET,
              masked(call->argument));
    return 0;
}

/* Makes a link; the path is what it leads to. */
static long make_link(const struct call *call)
{
    struct os_place place;
    size_t size = os_path_size(call->path);
    if (size == 1)
        return -ENOENT_;
    long error = find_new(call->to_at, call->to, false, &place);
    if (error)
        return error;
    struct os_node *node = make_node(&place, OS_LINK, 0777);
    os_node_resize(node, size);
    __builtin_memcpy(node->data, call->path, size);
    return 0;
}

static long add_name(const struct call *call)
{
    struct os_place from, to;
    if (call->flags & ~AT_FOLLOW)
        return call->flags & ~(AT_FOLLOW | OS_AT_EMPTY_PATH) ? -EINVAL_ : -ENOENT_;
    int how = call->flags & AT_FOLLOW ? OS_FOLLOW : OS_STAY;
    long error = os_find(call->at, call->path, how, &from);
    if (!error && !from.node)
        error = -ENOENT_;
    if (!error)
        error = find_new(call->to_at, call->to, false, &to);
    if (error)
        return error;
    if (from.node->kind == OS_FOLDER)
        return -EPERM_;
    os_enter_name(to.parent, to.name, to.length, from.node);
    return 0;
}

/* ---- names are removed or changed ------------------------------------------------ */

static long may_remove(const struct os_place *place, bool folder)
{
    if (!os_may(place->parent, OS_MAY_WRITE | OS_MAY_SEARCH))
        return -EACCES_;
    if (folder != (place->node->kind == OS_FOLDER))
        return folder ? -ENOTDIR_ : -EISDIR_;
    return folder && os_entry_count(place->node) ? -ENOTEMPTY_ : 0;
}

static long remove_special(const struct os_place *place, bool folder)
{
    if (!folder)
        return -EISDIR_;
    return !place->name ? -EBUSY_ : place->length == 1 ? -EINVAL_ : -ENOTEMPTY_;
}

static long remove(const struct call *call)
{
    struct os_place place;
    bool folder = call->flags & AT_REMOVEDIR;
    if (call->flags & ~AT_REMOVEDIR)
        return -EINVAL_;
    long error = os_find(call->at, call->path, OS_NAME, &place);
    if (error)
        return error;
    if (os_is_special(&place))
        return remove_special(&place, folder);
    if (!place.node)
        return -ENOENT_;
    if (!folder && place.slash)
        return place.node->kind == OS_FOLDER ? -EISDIR_ : -ENOTDIR_;
    error = may_remove(&place, folder);
    if (!error)
        os_remove_name(place.parent, place.node, place.name, place.length);
    return error;
}

static bool is_inside(const struct os_node *node, const struct os_node *folder)
{
    for (; node != folder; node = node->parent)
        if (node == node->parent)
            return false;
    return true;
}

static long may_rename(const struct os_place *from, const struct os_place *to)
{
    if (os_is_special(from) || os_is_special(to))
        return -EBUSY_;
    if (!from->node)
        return -ENOENT_;
    bool folder = from->node->kind == OS_FOLDER;
    if (!folder && (from->slash || to->slash))
        return -ENOTDIR_;
    if (folder && is_inside(to->parent, from->node))
        return -EINVAL_;
    if (to->node && to->node->kind == OS_FOLDER && is_inside(from->parent, to->node))
        return -ENOTEMPTY_;
    if (from->node == to->node)
        return 0;
    if (!os_may(from->parent, OS_MAY_WRITE | OS_MAY_SEARCH))
        return -EACCES_;
    long error = to->node ? may_remove(to, folder) : os_may_create(to);
    if (!error && folder && from->parent != to->parent && !os_may(from->node, OS_MAY_WRITE))
        error = -EACCES_; /* its ".." changes */
    return error;
}

static long rename(const struct call *call)
{
    struct os_place from, to;
    long error = os_find(call->at, call->path, OS_NAME, &from);
    if (!error)
        error = os_find(call->to_at, call->to, OS_NAME, &to);
    if (!error)
        error = may_rename(&from, &to);
    if (error || from.node == to.node)
        return error;
    if (to.node)
        os_remove_name(to.parent, to.node, to.name, to.length);
    os_enter_name(to.parent, to.name, to.length, from.node);
    os_remove_name(from.parent, from.node, from.name, from.length);
    return 0;
}

/* ---- what is there --------------------------------------------------------------- */

static long change_folder(struct os_node *node)
{
    struct os_files *files = os_files();
    if (node->kind != OS_FOLDER)
        return -ENOTDIR_;
    if (!os_may(node, OS_MAY_SEARCH))
        return -EACCES_;
    struct os_node *before = files->folder;
    files->folder = node;
    node->currents++;
    before->currents--;
    os_node_unused(before);
    return 0;
}

static long cut(struct os_node *node, long size)
{
    if (node->kind != OS_FILE)
        return node->kind == OS_FOLDER ? -EISDIR_ : -EINVAL_;
    if (!os_may(node, OS_MAY_WRITE))
        return -EACCES_;
    os_node_resize(node, (size_t)size);
    return 0;
}

static long change_mode(struct os_node *node, long mode)
{
    if (node->kind == OS_LINK)
        return -EOPNOTSUPP_;
    node->mode = (int)mode & 07777;
    return 0;
}

/* Returns what `flags` may be for a call. */
static long known_flags(long number)
{
    switch (number) {
    case SYS_faccessat2: return OS_AT_NOFOLLOW | AT_EACCESS | OS_AT_EMPTY_PATH;
    default: return OS_AT_NOFOLLOW | OS_AT_EMPTY_PATH;
    }
}

static long on_node(long number, const struct call *call)
{
    struct os_node *node;
    long argument = call->argument;
    bool accesses = number == SYS_faccessat2;
    if (call->flags & ~known_flags(number) || (accesses && argument & ~7) ||
        (number == SYS_truncate && argument < 0))
        return -EINVAL_;
    long error = os_find_node(call->at, call->path, call->flags, &node);
    if (error)
        return error;
    switch (number) {
    case SYS_fchmodat2: return change_mode(node, argument);
    case SYS_faccessat2: return os_may(node, (int)argument) ? 0 : -EACCES_;
    case SYS_chdir: return change_folder(node);
    case SYS_truncate: return cut(node, argument);
    case SYS_fchownat: return os_change_owner(argument, call->group);
    default: return 0; /* times are not kept */
    }
}

static long set_times(const struct call *call)
{
    if (!call->path) /* of the file itself */
        return os_open_of(call->at) ? 0 : -EBADF_;
    return on_node(SYS_utimensat, call);
}

static long set_mask(long mask)
{
    long before = os_files()->mask;
    os_files()->mask = (int)mask & 0777;
    return before;
}

/* ---- the calls ------------------------------------------------------------------- */

static void one(struct call *call, long at, const char *path, long argument, long flags)
{
    *call = (struct call){.at = at, .path = path, .argument = argument, .flags = flags};
}

static void two(struct call *call, long at, const char *path, long to_at, const char *to,
                long flags)
{
    *call = (struct call){.at = at, .to_at = to_at, .path = path, .to = to, .flags = flags};
}

/* Sorts the arguments; returns the number of the most general call that does the same. */
static long general(long number, long a, long b, long c, long d, long e, struct call *call)
{
    const long cwd = OS_AT_CWD;
    const char *first = (const char *)a, *second = (const char *)b;
    switch (number) {
    case SYS_open: one(call, cwd, first, c, b); return SYS_openat;
    case SYS_openat: one(call, a, second, d, c); return number;
    case SYS_mkdir: one(call, cwd, first, b, 0); return SYS_mkdirat;
    case SYS_mknod: one(call, cwd, first, b, 0); return SYS_mknodat;
    case SYS_mkdirat:
    case SYS_mknodat: one(call, a, second, c, 0); return number;
    case SYS_symlink: two(call, 0, first, cwd, second, 0); return SYS_symlinkat;
    case SYS_symlinkat: two(call, 0, first, b, (const char *)c, 0); return number;
    case SYS_unlink: one(call, cwd, first, 0, 0); return SYS_unlinkat;
    case SYS_rmdir: one(call, cwd, first, 0, AT_REMOVEDIR); return SYS_unlinkat;
    case SYS_unlinkat: one(call, a, second, 0, (int)c); return number;
    case SYS_link: two(call, cwd, first, cwd, second, 0); return SYS_linkat;
    case SYS_rename: two(call, cwd, first, cwd, second, 0); return SYS_renameat;
    case SYS_linkat: two(call, a, second, c, (const char *)d, (int)e); return number;
    case SYS_renameat: two(call, a, second, c, (const char *)d, 0); return number;
    case SYS_chmod: one(call, cwd, first, b, 0); return SYS_fchmodat2;
    case SYS_fchmodat: one(call, a, second, c, 0); return SYS_fchmodat2;
    case SYS_fchmodat2: one(call, a, second, c, (int)d); return number;
    case SYS_access: one(call, cwd, first, b, 0); return SYS_faccessat2;
    case SYS_faccessat: one(call, a, second, c, 0); return SYS_faccessat2;
    case SYS_faccessat2: one(call, a, second, c, (int)d); return number;
    case SYS_chown:
        one(call, cwd, first, b, 0);
        call->group = c;
        return SYS_fchownat;
    case SYS_lchown:
        one(call, cwd, first, b, OS_AT_NOFOLLOW);
        call->group = c;
        return SYS_fchownat;
    case SYS_fchownat:
        one(call, a, second, c, (int)e);
        call->group = d;
        return number;
    case SYS_utimensat: one(call, a, second, 0, (int)d); return number;
    case SYS_chdir:
    case SYS_truncate: one(call, cwd, first, b * (number == SYS_truncate), 0); return number;
    default: one(call, a, NULL, a, 0); return number; /* fchdir, umask */
    }
}

/* Does a call, in the kernel. */
static long act(long number, const struct call *call)
{
    switch (number) {
    case SYS_openat: return open_at(call);
    case SYS_mkdirat: return make_folder(call);
    case SYS_mknodat: return make_special(call);
    case SYS_symlinkat: return make_link(call);
    case SYS_linkat: return add_name(call);
    case SYS_unlinkat: return remove(call);
    case SYS_renameat: return rename(call);
    case SYS_utimensat: return set_times(call);
    case SYS_umask: return set_mask(call->argument);
    case SYS_fchdir:
        return os_open_any(call->at) ? change_folder(os_open_any(call->at)->node) : -EBADF_;
    default: return on_node(number, call);
    }
}

static bool is_too_long(const char *path)
{
    return path && os_path_size(path) > OS_PATH_MAX;
}

/* In the kernel: copies where the link leads to into an object of the kernel's; returns its
 * size, or an error. */
static long copy_target(long at, const char *path, long size, char **text)
{
    struct os_node *node;
    long error = os_find_node(at, path, OS_AT_NOFOLLOW | OS_AT_EMPTY_PATH, &node);
    if (error)
        return error;
    if (node->kind != OS_LINK)
        return *path ? -EINVAL_ : -ENOENT_;
    long length = (long)os_node_size(node) - 1, taken = length < size ? length : size;
    *text = __divm_obj_make((size_t)taken, VM_OBJ_KERNEL);
    __builtin_memcpy(*text, node->data, (size_t)taken);
    return taken;
}

static long read_link(long at, const char *path, char *buffer, long size)
{
    char *text;
    if ((int)size <= 0 || is_too_long(path))
        return (int)size <= 0 ? -EINVAL_ : -ENAMETOOLONG_;
    path = OS_PATH_COPY(path);
    os_act_files();
    long result = copy_target(at, path, (int)size, &text);
    os_leave();
    if (result < 0)
        return result;
    __builtin_memcpy(buffer, text, (size_t)result); /* a race on it is found */
    os_enter();
    __divm_obj_free(text, VM_OBJ_KERNEL);
    os_leave();
    return result;
}

long os_path_syscall(long number, long a, long b, long c, long d, long e)
{
    struct call call;
    switch (number) {
    case SYS_getcwd: return os_current_folder((char *)a, (size_t)b);
    case SYS_readlink: return read_link(OS_AT_CWD, (const char *)a, (char *)b, c);
    case SYS_readlinkat: return read_link(a, (const char *)b, (char *)c, d);
    }
    number = general(number, a, b, c, d, e, &call);
    if (is_too_long(call.path) || is_too_long(call.to))
        return -ENAMETOOLONG_;
    call.path = OS_PATH_COPY(call.path);
    call.to = OS_PATH_COPY(call.to);
    long result;
    do {
        os_act_files();
        result = act(number, &call);
        os_leave();
    } while (result == -EINTR_ && os_signal_take() && !os_is_cancelled(os_self()));
    return result;
}
