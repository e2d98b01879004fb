/* ioctl.c - requests to files that are no terminals. */
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/transfer.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/syscall.h"

enum { FIONREAD = 0x541b, FIONBIO = 0x5421, FIONCLEX = 0x5450, FIOCLEX = 0x5451 };

bool os_is_request(long request)
{
    return request == FIONREAD || request == FIONBIO || request == FIONCLEX ||
           request == FIOCLEX;
}

__attribute__((weak)) size_t os_socket_there(const struct os_node *node)
{
    (void)node;
    return 0;
}

/* Returns how many bytes can be read without waiting; they may be fewer than none in a file
 * whose offset is behind its end. */
static long count(const struct os_open *open, int *there)
{
    const struct os_node *node = open->node;
    if (node->kind == OS_FILE)
        *there = (int)((long)os_node_size(node) - open->offset);
    else if (node->kind == OS_PIPE)
        *there = (int)os_node_size(node);
    else if (node->kind == OS_SOCKET)
        *there = (int)os_socket_there(node);
    else
        return -ENOTTY_;
    return 0;
}

static long request_of(long fd, long request, int *value)
{
    struct os_open *open = os_open_of(fd);
    if (!open)
        return -EBADF_;
    switch (request) {
    case FIONREAD: return count(open, value);
    case FIONBIO:
        open->flags = (open->flags & ~OS_NONBLOCK) | (*value ? OS_NONBLOCK : 0);
        return 0;
    case FIOCLEX:
    case FIONCLEX: os_files()->fd[fd].close_on_exec = request == FIOCLEX; return 0;
    default: return -ENOTTY_;
    }
}

/* Reads and writes the program's number in user mode, so that races on it are found. */
long os_ioctl_syscall(long fd, long request, int *argument)
{
    int value = request == FIONBIO ? *argument : 0;
    os_act_files();
    long result = request_of(fd, request, &value);
    os_leave();
    if (result == 0 && request == FIONREAD)
        *argument = value;
    return result;
}
