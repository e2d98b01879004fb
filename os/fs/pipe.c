/* pipe.c - pipes and events (eventfd): bytes or a number that threads wait for. */
#include "os/fs/pipe.h"
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/poll.h"
#include "os/mode.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/syscall.h"
#include "os/thread.h"
#include "os/wait.h"

enum { CAPACITY = 65536, ATOMIC = 4096 };
#define EVENT_MAX (UINT64_MAX - 1)

/* Updates what is waited for, which follows from the rest. */
void os_pipe_refresh(struct os_node *node)
{
    bool event = node->kind == OS_EVENT;
    size_t size = os_node_size(node);
    node->can_read = event ? node->value != 0 : size != 0 || node->writers == 0;
    node->can_write =
        event ? node->value < EVENT_MAX : size + ATOMIC <= CAPACITY || node->readers == 0;
    os_poll_wake();
}

bool os_node_wait(struct os_node *node, const int *word)
{
    const struct os_thread *self = os_self();
    while (!*word) {
        if (os_is_cancelled(self) || os_wait_open(VM_ACT_SYSCALL, node, sizeof *node, word,
                                                  OS_WHILE_ZERO | OS_BY_SIGNAL | OS_BY_CANCEL))
            return false;
    }
    return true;
}

static long read_event(struct os_open *open, unsigned char *buffer, size_t size)
{
    struct os_node *node = open->node;
    if (size < sizeof node->value)
        return -EINVAL_;
    uint64_t taken = open->flags & OS_SEMAPHORE ? 1 : node->value;
    node->value -= taken;
    __builtin_memcpy(buffer, &taken, sizeof taken);
    return sizeof taken;
}

static long read_pipe(struct os_node *node, unsigned char *buffer, size_t size)
{
    size_t there = os_node_size(node), taken = size < there ? size : there;
    if (taken == 0)
        return 0;
    __builtin_memcpy(buffer, node->data, taken);
    __builtin_memmove(node->data, node->data + taken, there - taken);
    os_node_resize(node, there - taken);
    return (long)taken;
}

long os_pipe_read(struct os_open *open, unsigned char *buffer, size_t size)
{
    struct os_node *node = open->node;
    if (node->kind == OS_PIPE && size == 0)
        return 0;
    if (!node->can_read && open->flags & OS_NONBLOCK)
        return -EAGAIN_;
    if (!os_node_wait(node, &node->can_read))
        return -EINTR_;
    if (node->kind == OS_EVENT || !node->can_write)
        os_poll_edge(node, OS_POLL_OUT);
    long result =
        node->kind == OS_EVENT ? read_event(open, buffer, size) : read_pipe(node, buffer, size);
    os_pipe_refresh(node);
    return result;
}

static long write_event(struct os_open *open, const unsigned char *buffer, size_t size)
{
    struct os_node *node = open->node;
    uint64_t added;
    if (size < sizeof added)
        return -EINVAL_;
    __builtin_memcpy(&added, buffer, sizeof added);
    if (added > EVENT_MAX)
        return -EINVAL_;
    while (added > EVENT_MAX - node->value) {
        if (open->flags & OS_NONBLOCK)
            return -EAGAIN_;
        node->can_write = 0;
        if (!os_node_wait(node, &node->can_write))
            return -EINTR_;
    }
    node->value += added;
    os_poll_edge(node, OS_POLL_IN);
    os_pipe_refresh(node);
    return sizeof added;
}

static long broken(void)
{
    enum { PIPE = 13 };
    os_signal_send(os_self(), PIPE);
    return -EPIPE_;
}

long os_pipe_write(struct os_open *open, const unsigned char *buffer, size_t size)
{
    struct os_node *node = open->node;
    if (node->kind == OS_EVENT)
        return write_event(open, buffer, size);
    size_t done = 0;
    while (done < size) {
        if (node->readers == 0)
            return done ? (long)done : broken();
        bool fits = size - done <= ATOMIC && size - done <= CAPACITY - os_node_size(node);
        if (!fits && !node->can_write && open->flags & OS_NONBLOCK)
            return done ? (long)done : -EAGAIN_;
        if (!fits && !os_node_wait(node, &node->can_write))
            return done ? (long)done : -EINTR_;
        if (node->readers == 0)
            continue;
        size_t there = os_node_size(node), part = size - done;
        part = part < CAPACITY - there ? part : CAPACITY - there;
        os_node_resize(node, there + part);
        __builtin_memcpy(node->data + there, buffer + done, part);
        done += part;
        os_poll_edge(node, OS_POLL_IN);
        os_pipe_refresh(node);
    }
    return (long)done;
}

static long make_pipe(int *fd, long flags)
{
    enum { O_NONBLOCK = 04000, O_CLOEXEC = 02000000 };
    int nonblock = flags & O_NONBLOCK ? OS_NONBLOCK : 0;
    struct os_node *node = os_node_make(OS_PIPE, 0600);
    long in = os_open_node(node, OS_READ | nonblock, (flags & O_CLOEXEC) != 0);
    if (in < 0)
        return in;
    long out = os_open_node(node, OS_WRITE | nonblock, (flags & O_CLOEXEC) != 0);
    if (out < 0) {
        os_close(in);
        return out;
    }
    fd[0] = (int)in;
    fd[1] = (int)out;
    return 0;
}

static long make_event(uint64_t value, long flags)
{
    enum { SEMAPHORE = 1, NONBLOCK = 04000, CLOEXEC = 02000000 };
    struct os_node *node = os_node_make(OS_EVENT, 0600);
    node->value = value;
    long fd = os_open_node(node,
                           OS_READ | OS_WRITE | (flags & NONBLOCK ? OS_NONBLOCK : 0) |
                               (flags & SEMAPHORE ? OS_SEMAPHORE : 0),
                           (flags & CLOEXEC) != 0);
    return fd;
}

long os_pipe_syscall(long number, long a, long b)
{
    int fd[2];
    enum { EVENTFD2 = 290 };
    os_act_files();
    long result = number == EVENTFD2 ? make_event((uint32_t)a, b) : make_pipe(fd, b);
    os_leave();
    if (number != EVENTFD2 && result == 0)
        __builtin_memcpy((void *)a, fd, sizeof fd);
    return result;
}
