/* capture.c - copies of the host's files (--stdin, --capture). */
#include "os/fs/capture.h"
#include "os/fs/node.h"
#include "os/fs/path.h"
#include "os/state.h"

enum { PATH_MAX = 4096 };

static const struct vm_boot *boot(void)
{
    return (const struct vm_boot *)__divm_control(VM_REG_BOOT, VM_GET, 0);
}

const struct vm_file *os_input(void)
{
    for (size_t k = 0; k < boot()->nfiles; k++)
        if (!boot()->files[k].name[0])
            return &boot()->files[k];
    return NULL;
}

/* Returns the node of a path, made if there is none. */
static struct os_node *node_of(const char *path, enum os_node_kind kind, int mode)
{
    struct os_place place;
    if (os_find(OS_AT_CWD, path, OS_FOLLOW, &place))
        return NULL;
    if (!place.node) {
        place.node = os_node_make(kind, mode);
        os_enter_name(place.parent, place.name, place.length, place.node);
    }
    return place.node;
}

static void make(const struct vm_file *file)
{
    char path[PATH_MAX];
    size_t length = 0;
    for (; file->name[length] && length + 1 < PATH_MAX; length++) {
        path[length] = file->name[length];
        path[length + 1] = 0;
        if (length && path[length] == '/') {
            path[length] = 0;
            node_of(path, OS_FOLDER, 0755);
            path[length] = '/';
        }
    }
    if (path[length - 1] == '/')
        return;
    struct os_node *node = node_of(path, OS_FILE, file->mode);
    if (!node)
        return;
    os_node_resize(node, file->size);
    if (file->size)
        __builtin_memcpy(node->data, file->data, file->size);
}

void os_capture(void)
{
    for (size_t k = 0; k < boot()->nfiles; k++)
        if (boot()->files[k].name[0])
            make(&boot()->files[k]);
}
