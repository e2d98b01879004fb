/* folder.c - entries of folders, and the path of the current one. */
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/path.h"
#include "os/mode.h"
#include "os/state.h"

static size_t length_of(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

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

struct os_node *os_entry(const struct os_node *folder, const char *name, size_t length)
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

/* Enters a name, sorted: the order in which names came is no part of a state. */
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
    if (removed->kind == OS_FOLDER && !removed->links)
        folder->currents++; /* ".." still leads there */
    os_node_unused(removed);
}

/* ---- the current folder ---------------------------------------------------------- */

/* Writes the path of a folder backwards from `end`; returns where it begins, or NULL if there
 * is no room or the folder was removed. */
static char *path_of(const struct os_node *folder, char *begin, char *end)
{
    *--end = 0;
    if (folder == folder->parent)
        *--end = '/';
    for (; folder != folder->parent; folder = folder->parent) {
        const struct os_entry *list = (const struct os_entry *)folder->parent->data;
        if (!folder->links)
            return NULL;
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

long os_current_folder(char *buffer, size_t size)
{
    char path[OS_PATH_MAX];
    os_act_files();
    const struct os_node *folder = os_files()->folder;
    bool removed = !folder->links;
    const char *begin = path_of(folder, path, path + sizeof path);
    os_leave();
    if (removed)
        return -ENOENT_;
    size_t length = begin ? (size_t)(path + sizeof path - begin) : SIZE_MAX;
    if (length > size)
        return -ERANGE_;
    __builtin_memcpy(buffer, begin, length);
    return (long)length;
}
