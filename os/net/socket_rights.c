/* socket_rights.c - open files on their way: descriptors that are sent with a message
 * (SCM_RIGHTS).  They are attached to the place in the receiver's data where the message
 * begins, and go with its first byte: to the receiver if it has asked for them, or they are
 * closed. */
#include "os/error.h"
#include "os/error_number.h"
#include "os/fs/open.h"
#include "os/fs/transfer.h"
#include "os/net/socket.h"
#include "os/state.h"

struct os_attached {
    size_t place, end; /* of the message, or as much of it as came first */
    struct os_open *open;
};

static size_t count_of(const struct os_socket *socket)
{
    return socket->attached ? __divm_obj_size(socket->attached) / sizeof *socket->attached : 0;
}

static void set_count(struct os_socket *socket, size_t count)
{
    size_t size = count * sizeof *socket->attached;
    if (count && socket->attached) {
        __divm_obj_resize(socket->attached, size);
    } else if (count) {
        socket->attached = __divm_obj_make(size, VM_OBJ_KERNEL);
    } else if (socket->attached) {
        __divm_obj_free(socket->attached, VM_OBJ_KERNEL);
        socket->attached = NULL;
    }
}

long os_rights_check(const struct os_socket *socket, const struct os_rights *rights)
{
    if (rights && rights->count && socket->domain != UNIX)
        return -EINVAL_;
    for (size_t k = 0; rights && k < rights->count; k++)
        if (!os_open_of(rights->fd[k]))
            return -EBADF_;
    return 0;
}

void os_rights_send(struct os_socket *to, const struct os_rights *rights, size_t place,
                    size_t end)
{
    for (size_t k = 0; rights && k < rights->count; k++) {
        size_t count = count_of(to);
        struct os_open *open = os_open_of(rights->fd[k]);
        open->uses++;
        set_count(to, count + 1);
        to->attached[count] = (struct os_attached){place, end, open};
    }
}

size_t os_rights_limit(const struct os_socket *socket)
{
    return socket->attached ? socket->attached[0].end : SIZE_MAX;
}

static struct os_open *first(struct os_socket *socket)
{
    struct os_open *open = socket->attached[0].open;
    size_t count = count_of(socket);
    for (size_t k = 1; k < count; k++)
        socket->attached[k - 1] = socket->attached[k];
    set_count(socket, count - 1);
    return open;
}

void os_rights_take(struct os_socket *socket, struct os_rights *rights, size_t size)
{
    while (count_of(socket) && socket->attached[0].place < size) {
        struct os_open *open = first(socket);
        long fd = rights && rights->count < rights->room
                      ? os_open_install(open, rights->close_on_exec)
                      : -EMFILE_;
        if (fd >= 0) {
            rights->fd[rights->count++] = (int)fd;
            continue;
        }
        os_open_release(open);
        if (rights)
            rights->truncated = 1;
    }
    for (size_t k = 0; k < count_of(socket); k++) {
        socket->attached[k].place -= size;
        socket->attached[k].end -= size;
    }
}

/* ---- control messages, from user mode -------------------------------------------- */

enum { SOL_SOCKET = 1, SCM_RIGHTS = 1 };

struct control {
    size_t size;
    int level, type;
    int fd[];
}; /* struct cmsghdr */

long os_rights_read(struct os_rights *rights, const void *control, size_t size)
{
    const unsigned char *at = control;
    while (size >= sizeof(struct control)) {
        const struct control *one = (const struct control *)(const void *)at;
        if (one->size < sizeof *one || one->size > size)
            return -EINVAL_;
        if (one->level != SOL_SOCKET || one->type != SCM_RIGHTS)
            __os_error(VM_FAULT_SYSCALL, "sendmsg: control messages other than SCM_RIGHTS are "
                                         "not supported");
        size_t count = (one->size - sizeof *one) / sizeof *one->fd;
        if (count > OS_RIGHTS_MAX - rights->count)
            return -EINVAL_;
        for (size_t k = 0; k < count; k++)
            rights->fd[rights->count++] = one->fd[k];
        size_t whole = (one->size + sizeof(long) - 1) & ~(sizeof(long) - 1);
        at += whole;
        size -= whole < size ? whole : size;
    }
    return 0;
}

void os_rights_make_room(struct os_rights *rights, size_t size)
{
    size_t room = size > sizeof(struct control)
                      ? (size - sizeof(struct control)) / sizeof *rights->fd
                      : 0;
    rights->room = room < OS_RIGHTS_MAX ? room : OS_RIGHTS_MAX;
}

size_t os_rights_write(const struct os_rights *rights, void *control, size_t size)
{
    struct control *one = control;
    size_t whole = (rights->count + 1) / 2 * sizeof(long) + sizeof *one;
    if (!rights->count)
        return 0;
    one->size = sizeof *one + rights->count * sizeof *rights->fd;
    one->level = SOL_SOCKET;
    one->type = SCM_RIGHTS;
    for (size_t k = 0; k < rights->count; k++)
        one->fd[k] = rights->fd[k];
    return whole < size ? whole : size;
}
