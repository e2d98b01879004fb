/* poll.c - waiting for several descriptors.  A thread that waits is queued on the table of
 * nodes, and looks again whenever a pipe or an event has changed. */
#include "os/fs/poll.h"
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/transfer.h"
#include "os/queue.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/syscall.h"
#include "os/thread.h"
#include "os/wait.h"

enum { IN = OS_POLL_IN, OUT = OS_POLL_OUT, ERR = OS_POLL_ERR, HUP = OS_POLL_HUP };

struct entry {
    int fd;
    short wanted, found;
}; /* struct pollfd */

__attribute__((weak)) int os_socket_events(const struct os_node *node)
{
    (void)node;
    return 0;
}

__attribute__((weak)) void os_poll_edge(const struct os_node *node, int events)
{
    (void)node, (void)events;
}

int os_poll_events(const struct os_open *open, int wanted)
{
    if (!open)
        return OS_POLL_NVAL;
    const struct os_node *node = open->node;
    if (node->kind == OS_SOCKET)
        return os_socket_events(node) & (wanted | ERR | HUP);
    if (node->kind == OS_EPOLL)
        return 0;
    if (node->kind != OS_PIPE && node->kind != OS_EVENT)
        return wanted & (IN | OUT);
    bool reads = open->flags & OS_READ, writes = open->flags & OS_WRITE;
    bool broken = node->kind == OS_PIPE && writes && node->readers == 0;
    bool ended = node->kind == OS_PIPE && reads && node->writers == 0;
    bool began = !open->rendezvous || open->rendezvous->met; /* there was a writer */
    int found = (reads && node->can_read ? IN : 0) | (writes && node->can_write ? OUT : 0);
    if (ended && os_node_size(node) == 0)
        found &= ~IN;
    return (found & wanted) | (broken ? ERR : 0) | (ended && began ? HUP : 0);
}

void os_poll_wake(void)
{
    const void *nodes = os_state()->nodes;
    struct os_thread *thread;
    while ((thread = os_queued(nodes, 0)))
        os_dequeue(thread, nodes, NULL, OS_ALWAYS);
}

bool os_poll_wait(const uint64_t *mask)
{
    struct os_thread *self = os_self();
    uint32_t by = OS_BY_CANCEL | (mask ? OS_FOR_SIGNAL : OS_BY_SIGNAL);
    if (os_is_cancelled(self) || (mask && os_signal_is_due()))
        return true;
    os_enqueue(self, os_state()->nodes);
    bool ended = os_wait_open(VM_ACT_SYSCALL, os_state()->nodes, sizeof(struct os_node *),
                              &self->running, OS_FOR_EVER | by);
    return os_leave_queue(self) && ended;
}

static long ready_of_all(struct entry *list, size_t count)
{
    long ready = 0;
    for (size_t k = 0; k < count; k++) {
        list[k].found =
            list[k].fd < 0 ? 0 : (short)os_poll_events(os_open_of(list[k].fd), list[k].wanted);
        ready += list[k].found != 0;
    }
    return ready;
}

/* Does the call wait?  A time limit can pass at any moment, so only a call without one does. */
bool os_poll_waits(long milliseconds, const uint64_t *mask)
{
    return milliseconds < 0 || (mask && os_signal_is_due());
}

static long poll_all(struct entry *list, size_t count, long milliseconds, const uint64_t *mask)
{
    os_act_files();
    uint64_t before = os_signal_mask(mask);
    long ready = ready_of_all(list, count);
    while (!ready && os_poll_waits(milliseconds, mask)) {
        bool interrupted = os_poll_wait(mask);
        ready = ready_of_all(list, count);
        if (!ready && interrupted)
            ready = -EINTR_;
    }
    os_signal_unmask(mask, before, ready == -EINTR_);
    return ready;
}

/* Reads and writes the program's list in user mode, so that races on it are found. */
long os_poll(void *entries, size_t count, long milliseconds, const uint64_t *mask)
{
    struct entry *list = entries;
    if (count > OS_FD_MAX)
        return -EINVAL_;
    struct entry *copy = __builtin_alloca((count + 1) * sizeof *copy);
    for (size_t k = 0; k < count; k++)
        copy[k] = (struct entry){list[k].fd, list[k].wanted, 0};
    long ready = poll_all(copy, count, milliseconds, mask);
    for (size_t k = 0; k < count && ready >= 0; k++)
        list[k].found = copy[k].found;
    return ready;
}

static bool has(const uint64_t *set, long fd)
{
    return set && set[fd / 64] >> fd % 64 & 1;
}

static long put(uint64_t *set, long fd, bool on)
{
    if (set)
        set[fd / 64] = (set[fd / 64] & ~(1ull << fd % 64)) | (uint64_t)on << fd % 64;
    return on;
}

long os_select(long count, uint64_t *read, uint64_t *write, uint64_t *except, bool waits,
               const uint64_t *mask)
{
    struct entry list[OS_FD_MAX];
    size_t used = 0;
    if (count < 0 || count > OS_FD_MAX)
        return -EINVAL_;
    for (long fd = 0; fd < count; fd++) {
        int wanted = (has(read, fd) ? IN : 0) | (has(write, fd) ? OUT : 0);
        if (wanted || has(except, fd))
            list[used++] = (struct entry){(int)fd, (short)wanted, 0};
    }
    long ready = poll_all(list, used, waits ? -1 : 0, mask), bits = 0;
    if (ready < 0)
        return ready;
    for (size_t k = 0; k < used; k++)
        if (list[k].found & OS_POLL_NVAL)
            return -EBADF_;
    for (size_t k = 0; k < used; k++) {
        int found = list[k].found;
        if (has(read, list[k].fd))
            bits += put(read, list[k].fd, found & (IN | HUP | ERR));
        if (has(write, list[k].fd))
            bits += put(write, list[k].fd, found & (OUT | ERR));
        put(except, list[k].fd, false);
    }
    return bits;
}
