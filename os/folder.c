/* folder.c - the tree of names: paths, and the system calls that take one. */
#include "os/file.h"

#define SYSCALL(number, name) SYS_##name = number,
enum {
#include "syscall.def"
};
#undef SYSCALL

static size_t length_of(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

/* ---- entries ------------------------------------------------------------------ */

size_t os_entry_count(const struct os_node *folder)
{
    return os_node_size(folder) / sizeof(struct os_entry);
}

static bool is_name(const char *name, const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++)
        if (name[k] != text[k]) /* a name ends with 0, which is in no path's part */
            return false;
    return name[length] == 0;
}

static struct os_node *entry(const struct os_node *folder, const char *name, size_t length)
{
    const struct os_entry *list = (const struct os_entry *)folder->data;
    for (size_t k = 0, count = os_entry_count(folder); k < count; k++)
        if (is_name(list[k].name, name, length))
            return list[k].node;
    return NULL;
}

static bool is_before(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a < (unsigned char)*b;
}

/* Sorted: the order in which they came is no part of a state. */
void os_enter_name(struct os_node *folder, const char *name, size_t length,
                   struct os_node *node)
{
    size_t count = os_entry_count(folder), place = count;
    char *copy = __divm_obj_make(length + 1, VM_OBJ_KERNEL);
    __builtin_memcpy(copy, name, length);
    copy[length] = 0;
    os_node_resize(folder, (count + 1) * sizeof(struct os_entry));
    struct os_entry *list = (struct os_entry *)folder->data;
    for (; place && is_before(copy, list[place - 1].name); place--)
        list[place] = list[place - 1];
    list[place] = (struct os_entry){node, copy};
    node->links++;
    if (node->kind == OS_FOLDER)
        node->parent = folder;
}

void os_remove_name(struct os_node *folder, const struct os_node *node, const char *name,
                    size_t length)
{
    struct os_entry *list = (struct os_entry *)folder->data;
    size_t count = os_entry_count(folder), place = 0;
    while (list[place].node != node || !is_name(list[place].name, name, length))
        place++;
    struct os_node *removed = list[place].node;
    __divm_obj_free(list[place].name, VM_OBJ_KERNEL);
    for (; place + 1 < count; place++)
        list[place] = list[place + 1];
    os_node_resize(folder, (count - 1) * sizeof *list);
    removed->links--;
    os_node_unused(removed);
}

/* ---- paths -------------------------------------------------------------------- */

static bool is_dots(const char *name, size_t length)
{
    return name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.'));
}

static struct os_node *step(struct os_node *folder, const char *name, size_t length)
{
    if (is_dots(name, length))
        return length == 1 ? folder : folder->parent;
    return entry(folder, name, length);
}

static struct os_node *start(long at, const char *path)
{
    if (*path == '/')
        return os_node(1);
    if ((int)at == OS_AT_CWD)
        return os_files()->folder;
    const struct os_open *open = os_open_of((int)at);
    return open ? open->node : NULL;
}

long os_find(long at, const char *path, struct os_place *place)
{
    struct os_node *node = start(at, path);
    if (!node)
        return -EBADF_;
    if (!*path)
        return -ENOENT_;
    *place = (struct os_place){.parent = node, .node = node};
    for (;;) {
        while (*path == '/')
            path++;
        if (!*path)
            return 0;
        size_t length = 0;
        while (path[length] && path[length] != '/')
            length++;
        if (length > OS_NAME_MAX)
            return -ENAMETOOLONG_;
        if (!place->node)
            return -ENOENT_;
        if (place->node->kind != OS_FOLDER)
            return -ENOTDIR_;
        place->parent = place->node;
        place->name = path;
        place->length = length;
        place->node = step(place->node, path, length);
        path += length;
    }
}

/* ---- system calls --------------------------------------------------------------- */

enum {
    O_CREAT = 0100,
    O_EXCL = 0200,
    O_TRUNC = 01000,
    O_APPEND = 02000,
    O_NONBLOCK = 04000,
    O_DIRECTORY = 0200000,
    O_CLOEXEC = 02000000
};

size_t os_path_size(const char *path)
{
    return length_of(path) + 1;
}

static long open_at(long at, const char *path, long flags, long mode)
{
    struct os_place place;
    long error = os_find(at, path, &place);
    if (error)
        return error;
    struct os_node *node = place.node;
    if (node && flags & O_CREAT && flags & O_EXCL)
        return -EEXIST_;
    if (!node && !(flags & O_CREAT))
        return -ENOENT_;
    if (node && flags & O_DIRECTORY && node->kind != OS_FOLDER)
        return -ENOTDIR_;
    if (node && node->kind == OS_FOLDER && (flags & 3 || flags & O_CREAT))
        return -EISDIR_;
    if (!node) {
        node = os_node_make(OS_FILE, (int)mode & 0777 & ~os_files()->mask);
        os_enter_name(place.parent, place.name, place.length, node);
    }
    if (flags & O_TRUNC && node->kind == OS_FILE)
        os_node_resize(node, 0);
    int access = (int)(flags & 3);
    return os_open_node(node,
                        (access != 1 ? OS_READ : 0) | (access ? OS_WRITE : 0) |
                            (flags & O_APPEND ? OS_APPEND : 0) |
                            (flags & O_NONBLOCK ? OS_NONBLOCK : 0),
                        (flags & O_CLOEXEC) != 0);
}

static long make_folder(long at, const char *path, long mode)
{
    struct os_place place;
    long error = os_find(at, path, &place);
    if (error)
        return error;
    if (place.node)
        return -EEXIST_;
    struct os_node *node = os_node_make(OS_FOLDER, (int)mode & 0777 & ~os_files()->mask);
    os_enter_name(place.parent, place.name, place.length, node);
    return 0;
}

static long remove(long at, const char *path, bool folder)
{
    struct os_place place;
    long error = os_find(at, path, &place);
    if (error)
        return error;
    if (!place.node)
        return -ENOENT_;
    if (folder != (place.node->kind == OS_FOLDER))
        return folder ? -ENOTDIR_ : -EISDIR_;
    if (folder && os_entry_count(place.node))
        return -ENOTEMPTY_;
    if (!place.name || is_dots(place.name, place.length))
        return -EINVAL_;
    os_remove_name(place.parent, place.node, place.name, place.length);
    return 0;
}

static bool is_inside(const struct os_node *node, const struct os_node *folder)
{
    for (; node != folder; node = node->parent)
        if (node == node->parent)
            return false;
    return true;
}

/* No name of an entry: the root, "." or "..". */
static bool is_special(const struct os_place *place)
{
    return !place->name || is_dots(place->name, place->length);
}

static long rename(long from_at, const char *from_path, long to_at, const char *to_path)
{
    struct os_place from, to;
    long error = os_find(from_at, from_path, &from);
    if (!error)
        error = os_find(to_at, to_path, &to);
    if (error)
        return error;
    if (is_special(&from) || is_special(&to))
        return -EBUSY_;
    if (!from.node)
        return -ENOENT_;
    if (from.node == to.node)
        return 0;
    bool folder = from.node->kind == OS_FOLDER;
    if (folder && is_inside(to.parent, from.node))
        return -EINVAL_;
    if (to.node && folder != (to.node->kind == OS_FOLDER))
        return folder ? -ENOTDIR_ : -EISDIR_;
    if (to.node && folder && os_entry_count(to.node))
        return -ENOTEMPTY_;
    if (to.node)
        os_remove_name(to.parent, to.node, to.name, to.length);
    os_enter_name(to.parent, to.name, to.length, from.node);
    os_remove_name(from.parent, from.node, from.name, from.length);
    return 0;
}

static long link(long from_at, const char *from_path, long to_at, const char *to_path)
{
    struct os_place from, to;
    long error = os_find(from_at, from_path, &from);
    if (!error)
        error = os_find(to_at, to_path, &to);
    if (error)
        return error;
    if (!from.node)
        return -ENOENT_;
    if (from.node->kind == OS_FOLDER)
        return -EPERM_;
    if (to.node)
        return -EEXIST_;
    os_enter_name(to.parent, to.name, to.length, from.node);
    return 0;
}

static long change_folder(struct os_node *node)
{
    struct os_files *files = os_files();
    if (!node)
        return -ENOENT_;
    if (node->kind != OS_FOLDER)
        return -ENOTDIR_;
    struct os_node *before = files->folder;
    files->folder = node;
    node->currents++;
    before->currents--;
    os_node_unused(before);
    return 0;
}

/* Writes the path of a folder backwards from `end`; gives where it begins. */
static char *path_of(const struct os_node *folder, char *begin, char *end)
{
    *--end = 0;
    if (folder == folder->parent)
        *--end = '/';
    for (; folder != folder->parent; folder = folder->parent) {
        const struct os_entry *list = (const struct os_entry *)folder->parent->data;
        while (list->node != folder)
            list++;
        size_t length = length_of(list->name);
        if ((size_t)(end - begin) < length + 1)
            return NULL;
        end -= length;
        __builtin_memcpy(end, list->name, length);
        *--end = '/';
    }
    return end;
}

static long current_folder(char *buffer, size_t size)
{
    char path[4096];
    os_act_files();
    const char *begin = path_of(os_files()->folder, path, path + sizeof path);
    os_leave();
    size_t length = begin ? (size_t)(path + sizeof path - begin) : SIZE_MAX;
    if (length > size)
        return -ERANGE_;
    __builtin_memcpy(buffer, begin, length);
    return (long)length;
}

static long find_node(long at, const char *path, struct os_node **node)
{
    struct os_place place;
    long error = os_find(at, path, &place);
    *node = error ? NULL : place.node;
    return error ? error : place.node ? 0 : -ENOENT_;
}

static long on_node(long number, long at, const char *path, long argument)
{
    struct os_node *node;
    bool negative = number == SYS_truncate && argument < 0;
    long error = negative ? -EINVAL_ : find_node(at, path, &node);
    if (error)
        return error;
    if (number == SYS_chmod)
        node->mode = (int)argument & 07777;
    else if (number == SYS_chdir)
        return change_folder(node);
    else if (number == SYS_truncate && node->kind == OS_FILE)
        os_node_resize(node, (size_t)argument);
    else if (number == SYS_truncate)
        return node->kind == OS_FOLDER ? -EISDIR_ : -EINVAL_;
    return 0;
}

static const char *first_path(long number, long a, long b)
{
    switch (number) {
    case SYS_fchdir:
    case SYS_umask: return NULL;
    case SYS_openat:
    case SYS_mkdirat:
    case SYS_unlinkat:
    case SYS_renameat:
    case SYS_linkat:
    case SYS_utimensat:
    case SYS_faccessat:
    case SYS_fchmodat: return (const char *)b;
    default: return (const char *)a;
    }
}

static const char *second_path(long number, long b, long d)
{
    switch (number) {
    case SYS_rename:
    case SYS_link: return (const char *)b;
    case SYS_renameat:
    case SYS_linkat: return (const char *)d;
    default: return NULL;
    }
}

/* In the kernel, with copies of the paths. */
static long call(long number, long a, long b, long c, long d, const char *path, const char *to)
{
    switch (number) {
    case SYS_open: return open_at(OS_AT_CWD, path, b, c);
    case SYS_openat: return open_at(a, path, c, d);
    case SYS_mkdir: return make_folder(OS_AT_CWD, path, b);
    case SYS_mkdirat: return make_folder(a, path, c);
    case SYS_unlink: return remove(OS_AT_CWD, path, false);
    case SYS_rmdir: return remove(OS_AT_CWD, path, true);
    case SYS_unlinkat: return remove(a, path, c & 0x200);
    case SYS_rename: return rename(OS_AT_CWD, path, OS_AT_CWD, to);
    case SYS_renameat: return rename(a, path, c, to);
    case SYS_link: return link(OS_AT_CWD, path, OS_AT_CWD, to);
    case SYS_linkat: return link(a, path, c, to);
    case SYS_access: return on_node(number, OS_AT_CWD, path, b);
    case SYS_utimensat:
        if (!path) /* the file itself */
            return os_open_of(a) ? 0 : -EBADF_;
        return on_node(number, a, path, c);
    case SYS_faccessat: return on_node(number, a, path, c);
    case SYS_chmod:
    case SYS_chdir:
    case SYS_truncate: return on_node(number, OS_AT_CWD, path, b);
    case SYS_fchmodat: return on_node(SYS_chmod, a, path, c);
    case SYS_fchdir: return os_open_of(a) ? change_folder(os_open_of(a)->node) : -EBADF_;
    default: { /* umask */
        long before = os_files()->mask;
        os_files()->mask = (int)a & 0777;
        return before;
    }
    }
}

long os_folder_syscall(long number, long a, long b, long c, long d)
{
    if (number == SYS_getcwd)
        return current_folder((char *)a, (size_t)b);
    const char *path = first_path(number, a, b), *to = second_path(number, b, d);
    path = OS_PATH_COPY(path);
    to = OS_PATH_COPY(to);
    os_act_files();
    long result = call(number, a, b, c, d, path, to);
    os_leave();
    return result;
}
