/* epoll.c - a set of descriptors to poll; linked where a program makes one.  What it
 * watches is its node's data; an open file is watched until its last descriptor is closed. With
 * EPOLLET it is looked at once, and again when something has happened to it (FRESH). */
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/poll.h"
#include "os/mode.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/syscall.h"

#define SYSCALL(number, name) SYS_##name = number,
enum {
#include "os/syscall.def"
};
#undef SYSCALL

enum { FRESH = 1 << 27, ONESHOT = 1 << 30, ADD = 1, DEL, MOD };
#define EDGE (1u << 31)

struct watch {
    const struct os_open *open;
    uint64_t data;
    int fd;
    uint32_t events;
};

/* struct epoll_event, which is packed */
struct event {
    uint32_t events;
    uint32_t data[2];
};

static size_t count_of(const struct os_node *set)
{
    return os_node_size(set) / sizeof(struct watch);
}

static struct watch *list_of(const struct os_node *set)
{
    return (struct watch *)set->data;
}

static void remove(struct os_node *set, size_t place)
{
    size_t count = count_of(set);
    for (; place + 1 < count; place++)
        list_of(set)[place] = list_of(set)[place + 1];
    os_node_resize(set, (count - 1) * sizeof(struct watch));
}

/* Adds a watch, sorted by descriptor: the order in which they came is no part of a state. */
static void add(struct os_node *set, struct watch watch)
{
    size_t place = count_of(set);
    os_node_resize(set, (place + 1) * sizeof watch);
    for (; place && list_of(set)[place - 1].fd > watch.fd; place--)
        list_of(set)[place] = list_of(set)[place - 1];
    list_of(set)[place] = watch;
}

static struct os_node *set_of(long fd)
{
    const struct os_open *open = os_open_of(fd);
    return open && open->node->kind == OS_EPOLL ? open->node : NULL;
}

static long change(struct os_node *set, long operation, long fd, const struct event *event)
{
    const struct os_open *open = os_open_of(fd);
    if (!open)
        return -EBADF_;
    if (!set || open->node == set || open->node->kind == OS_EPOLL)
        return -EINVAL_;
    if (open->node->kind == OS_FILE || open->node->kind == OS_FOLDER)
        return -EPERM_;
    size_t place = 0, count = count_of(set);
    while (place < count && (list_of(set)[place].fd != fd || list_of(set)[place].open != open))
        place++;
    if ((operation == ADD) != (place == count))
        return operation == ADD ? -EEXIST_ : -ENOENT_;
    if (operation != ADD)
        remove(set, place);
    if (operation != DEL) {
        struct watch watch = {.open = open, .fd = (int)fd, .events = event->events | FRESH};
        __builtin_memcpy(&watch.data, event->data, sizeof watch.data);
        add(set, watch);
        __divm_obj_shared(set->data); /* who gets the event gets what this points to */
    }
    os_poll_wake();
    return 0;
}

static void append(struct event **events, size_t count, struct event event)
{
    if (count)
        __divm_obj_resize(*events, (count + 1) * sizeof event);
    else
        *events = __divm_obj_make(sizeof event, VM_OBJ_KERNEL);
    (*events)[count] = event;
}

/* Looks at all watches.  Those that are found are listed in an object of the kernel's, made if
 * there are any. */
static long events_of_all(struct os_node *set, struct event **events, long room)
{
    size_t found = 0;
    for (size_t k = 0; k < count_of(set) && found < (size_t)room; k++) {
        struct watch *watch = &list_of(set)[k];
        int wanted = (int)(watch->events & (0xfff | OS_POLL_RDHUP));
        if ((watch->events & EDGE && !(watch->events & FRESH)) ||
            (watch->events & ONESHOT && !wanted))
            continue;
        int ready = os_poll_events(watch->open, wanted);
        if (watch->events & EDGE)
            watch->events &= ~(uint32_t)FRESH;
        if (!ready)
            continue;
        struct event event = {.events = (uint32_t)ready};
        __builtin_memcpy(event.data, &watch->data, sizeof watch->data);
        append(events, found++, event);
        if (watch->events & ONESHOT)
            watch->events = ONESHOT;
    }
    return (long)found;
}

void os_poll_edge(const struct os_node *node, int events)
{
    const struct os_state *state = os_state();
    size_t count = __divm_obj_size(state->nodes) / sizeof *state->nodes;
    for (size_t n = 0; n < count; n++) {
        struct os_node *set = state->nodes[n];
        for (size_t k = 0; set && set->kind == OS_EPOLL && k < count_of(set); k++) {
            struct watch *watch = &list_of(set)[k];
            if (watch->open->node == node && watch->events & EDGE &&
                ((int)watch->events | OS_POLL_ERR | OS_POLL_HUP) & events)
                watch->events |= FRESH;
        }
    }
}

void os_poll_forget(const struct os_open *open)
{
    const struct os_state *state = os_state();
    size_t count = __divm_obj_size(state->nodes) / sizeof *state->nodes;
    for (size_t n = 0; n < count; n++) {
        struct os_node *set = state->nodes[n];
        for (size_t k = set && set->kind == OS_EPOLL ? count_of(set) : 0; k-- > 0;)
            if (list_of(set)[k].open == open)
                remove(set, k);
    }
}

/* Hands events over to the program, in user mode, so that a race is found. */
static void hand_over(struct event *events, struct event *list, size_t count)
{
    __builtin_memcpy(events, list, count * sizeof *list);
    os_enter();
    __divm_obj_free(list, VM_OBJ_KERNEL);
    os_leave();
}

/* Waits as os_poll does. */
static long wait(long fd, struct event *events, long room, long milliseconds,
                 const uint64_t *mask)
{
    if (room <= 0)
        return -EINVAL_;
    struct event *list;
    os_act_files();
    uint64_t before = os_signal_mask(mask);
    struct os_node *set = set_of(fd);
    long found = !os_open_of(fd) ? -EBADF_ : !set ? -EINVAL_ : events_of_all(set, &list, room);
    while (!found && os_poll_waits(milliseconds, mask)) {
        bool interrupted = os_poll_wait(mask);
        set = set_of(fd);
        found = set ? events_of_all(set, &list, room) : -EBADF_;
        if (!found && interrupted)
            found = -EINTR_;
    }
    os_signal_unmask(mask, before, found == -EINTR_);
    if (found > 0)
        hand_over(events, list, (size_t)found);
    return found;
}

long os_epoll_make(long flags)
{
    enum { CLOEXEC = 02000000 };
    os_act_files();
    long fd =
        os_open_node(os_node_make(OS_EPOLL, 0600), OS_READ | OS_WRITE, (flags & CLOEXEC) != 0);
    os_leave();
    return fd;
}

static long change_set(long set, long operation, long fd, const struct event *event)
{
    struct event copy = {0};
    if (operation < ADD || operation > MOD)
        return -EINVAL_;
    if (operation != DEL)
        copy = *event;
    os_act_files();
    long result = os_open_of(set) ? change(set_of(set), operation, fd, &copy) : -EBADF_;
    os_leave();
    return result;
}

long os_epoll_syscall(long number, long a, long b, long c, long d, long e)
{
    uint64_t mask = number == SYS_epoll_pwait && e ? *(const uint64_t *)e : 0;
    switch (number) {
    case SYS_epoll_ctl: return change_set(a, b, c, (const struct event *)d);
    case SYS_epoll_wait: return wait(a, (struct event *)b, c, d, NULL);
    case SYS_epoll_pwait: return wait(a, (struct event *)b, c, d, e ? &mask : NULL);
    default: return os_epoll_make(a);
    }
}
