/* socket_call.c - system calls on sockets, with their addresses and options; linked where a
 * program makes a socket. */
#include "os/error.h"
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/transfer.h"
#include "os/mode.h"
#include "os/net/socket.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/syscall.h"
#include "os/thread.h"

#define SYSCALL(number, name) SYS_##name = number,
enum {
#include "os/syscall.def"
};
#undef SYSCALL

/* ---- options --------------------------------------------------------------------- */

enum {
    SOL_SOCKET = 1,
    SOL_TCP = 6,
    SO_REUSEADDR = 2,
    SO_TYPE,
    SO_ERROR,
    SO_BROADCAST = 6,
    SO_SNDBUF,
    SO_RCVBUF,
    SO_KEEPALIVE,
    SO_LINGER = 13,
    SO_REUSEPORT = 15,
    SO_RCVTIMEO = 20,
    SO_SNDTIMEO,
    SO_ACCEPTCONN = 30,
    SO_PROTOCOL = 38,
    SO_DOMAIN = 39,
};

static void set_flag(struct os_socket *socket, int flag, bool on)
{
    socket->options = (socket->options & ~flag) | (on ? flag : 0);
}

/* Sets an option.  Sizes and the like are taken without effect.  The value is a number or a
 * time. */
static long set_option(struct os_socket *socket, long level, long option, const long *time,
                       size_t size)
{
    if (level == SOL_TCP && socket->domain == INET && socket->type == STREAM)
        return 0;
    if (level != SOL_SOCKET)
        return -ENOPROTOOPT_;
    if (size < sizeof(int))
        return -EINVAL_;
    switch (option) {
    case SO_REUSEADDR:
    case SO_REUSEPORT: set_flag(socket, OPTION_REUSE, (int)time[0]); return 0;
    case SO_RCVTIMEO: set_flag(socket, OPTION_READ_LIMIT, time[0] || time[1]); return 0;
    case SO_SNDTIMEO: set_flag(socket, OPTION_WRITE_LIMIT, time[0] || time[1]); return 0;
    case SO_BROADCAST:
    case SO_SNDBUF:
    case SO_RCVBUF:
    case SO_KEEPALIVE:
    case SO_LINGER: return 0;
    default: return -ENOPROTOOPT_;
    }
}

static long get_option(struct os_socket *socket, long level, long option, int *value)
{
    if (level != SOL_SOCKET)
        return -ENOPROTOOPT_;
    switch (option) {
    case SO_REUSEADDR:
    case SO_REUSEPORT: *value = (socket->options & OPTION_REUSE) != 0; return 0;
    case SO_TYPE: *value = socket->type; return 0;
    case SO_ERROR: *value = (int)-os_socket_error(socket); return 0;
    case SO_SNDBUF:
    case SO_RCVBUF: *value = CAPACITY; return 0;
    case SO_ACCEPTCONN: *value = socket->backlog != 0; return 0;
    case SO_PROTOCOL: *value = 0; return 0;
    case SO_DOMAIN: *value = socket->domain; return 0;
    default: return -ENOPROTOOPT_;
    }
}

/* ---- system calls ---------------------------------------------------------------- */

static long peer_name(const struct os_socket *socket, struct os_address *name)
{
    if (!socket->connected || !socket->peer)
        return -ENOTCONN_;
    *name = socket->peer->socket->name;
    return 0;
}

/* Tells the program an address: as much of it as there is room for. */
static void tell_address(void *to, unsigned *size, const unsigned char *bytes, size_t length)
{
    if (!to || !size)
        return;
    if (length)
        __builtin_memcpy(to, bytes, *size < length ? *size : length);
    *size = (unsigned)length;
}

/* Gives an address without a name its family. */
static void name_family(struct os_address *name, int domain)
{
    enum { INET_SIZE = 16 };
    if (!name->size) {
        name->size = domain == INET ? INET_SIZE : 2;
        name->bytes[0] = (unsigned char)domain;
    }
}

static long on_socket(long number, struct os_open *open, long b, long c,
                      struct os_address *name)
{
    struct os_node *node = open ? open->node : NULL;
    struct os_socket *socket = node ? node->socket : NULL;
    if (!socket)
        return open ? -ENOTSOCK_ : -EBADF_;
    switch (number) {
    case SYS_bind: return os_socket_bind(node, name);
    case SYS_connect: return os_socket_connect(open, name);
    case SYS_listen: return os_socket_listen(node, b);
    case SYS_shutdown: return os_socket_shut(node, b);
    case SYS_getsockname: *name = socket->name; break;
    case SYS_getpeername: {
        long error = peer_name(socket, name);
        if (error)
            return error;
        break;
    }
    default: { /* accept */
        bool may_wait = os_socket_may_wait(open, NULL, OPTION_READ_LIMIT);
        long fd = os_socket_accept(open, c, may_wait, name);
        if (fd >= 0)
            name_family(name, socket->domain);
        return fd;
    }
    }
    name_family(name, socket->domain);
    return 0;
}

/* Cuts a path at its first 0. */
static void cut_path(struct os_address *name)
{
    size_t end = 2;
    while (end < name->size && name->bytes[end])
        end++;
    if (end > 2 && name->bytes[0] == UNIX)
        name->size = end;
}

static long with_name(long number, long fd, void *address, unsigned *size, long argument)
{
    bool gives = number == SYS_bind || number == SYS_connect;
    struct os_address name = {0};
    long result;
    if (gives) {
        name.size = (size_t)size;
        if (name.size > NAME_MAX)
            return -EINVAL_;
        __builtin_memcpy(name.bytes, address, name.size);
        cut_path(&name);
    }
    do {
        os_act_files();
        result = on_socket(number, os_open_of(fd), (long)address, argument, &name);
        os_leave();
    } while (result == -EINTR_ && os_signal_take() && !os_is_cancelled(os_self()));
    if (result >= 0 && !gives)
        tell_address(address, size, name.bytes, name.size);
    return result;
}

static long option(long number, long fd, long level, long name, void *value, void *size)
{
    int found = 0;
    long given[2] = {0};
    if (number == SYS_setsockopt)
        __builtin_memcpy(given, value,
                         (size_t)size < sizeof given ? (size_t)size : sizeof given);
    os_act_files();
    const struct os_open *open = os_open_of(fd);
    struct os_socket *socket = open ? open->node->socket : NULL;
    long result = !open     ? -EBADF_
                  : !socket ? -ENOTSOCK_
                  : number == SYS_setsockopt
                      ? set_option(socket, level, name, given, (size_t)size)
                      : get_option(socket, level, name, &found);
    os_leave();
    if (number == SYS_getsockopt && result == 0)
        tell_address(value, size, (unsigned char *)&found, sizeof found);
    return result;
}

/* Checks flags: what would do something else than is asked for is refused. */
static int checked(long flags)
{
    if (flags & OOB)
        __os_error(VM_FAULT_SYSCALL, "sockets have no urgent data (MSG_OOB)");
    if (flags & ERRQUEUE)
        __os_error(VM_FAULT_SYSCALL, "sockets have no queue of errors (MSG_ERRQUEUE)");
    return (int)flags;
}

static long transfer(bool sends, long fd, void *data, size_t size, long flags, void *address,
                     void *length)
{
    struct os_message message = {.flags = checked(flags)};
    if (sends && address) {
        message.size = (size_t)length;
        if (message.size > NAME_MAX)
            return -EINVAL_;
        __builtin_memcpy(message.address, address, message.size);
    }
    long result = os_transfer(sends, fd, data, size, &message);
    if (!sends && result >= 0)
        tell_address(address, length, message.address, message.size);
    return result;
}

struct header {
    void *name;
    unsigned name_size;
    const void *vector;
    size_t count;
    void *control;
    size_t control_size;
    int flags;
}; /* struct msghdr */

static long transfer_header(bool sends, long fd, struct header *header, long flags)
{
    enum { CMSG_CLOEXEC = 0x40000000 };
    struct os_rights rights = {.close_on_exec = (flags & CMSG_CLOEXEC) != 0};
    struct os_message message = {.flags = checked(flags), .rights = &rights};
    long error = 0;
    if (sends && header->control_size)
        error = os_rights_read(&rights, header->control, header->control_size);
    else
        os_rights_make_room(&rights, header->control_size);
    if (error || (sends && header->name && header->name_size > NAME_MAX))
        return -EINVAL_;
    if (sends && header->name) {
        message.size = header->name_size;
        __builtin_memcpy(message.address, header->name, message.size);
    }
    long result = os_transfer_vector(sends, fd, header->vector, (long)header->count, &message);
    if (!sends && result >= 0) {
        tell_address(header->name, &header->name_size, message.address, message.size);
        header->control_size = os_rights_write(&rights, header->control, header->control_size);
        header->flags = (message.truncated ? TRUNC : 0) | (rights.truncated ? CTRUNC : 0);
    }
    return result;
}

/* ---- calls ----------------------------------------------------------------------- */

long os_socket_make(long domain, long type, long protocol)
{
    os_act_files();
    long result = os_socket_open(domain, type, protocol);
    os_leave();
    return result;
}

long os_socket_make_pair(long domain, long type, long protocol, int *fd)
{
    int made[2];
    os_act_files();
    long result = os_socket_open_pair(domain, type, protocol, made);
    os_leave();
    if (result == 0)
        __builtin_memcpy(fd, made, sizeof made);
    return result;
}

/* Replaces the weak definition of programs without sockets (os/syscall.c). */
long os_socket_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    switch (number) {
    case SYS_socket: return os_socket_make(a, b, c);
    case SYS_socketpair: return os_socket_make_pair(a, b, c, (int *)d);
    case SYS_setsockopt:
    case SYS_getsockopt: return option(number, a, b, c, (void *)d, (void *)e);
    case SYS_sendto:
    case SYS_recvfrom:
        return transfer(number == SYS_sendto, a, (void *)b, (size_t)c, d, (void *)e, (void *)f);
    case SYS_sendmsg:
    case SYS_recvmsg: return transfer_header(number == SYS_sendmsg, a, (void *)b, c);
    default: return with_name(number, a, (void *)b, (void *)c, d);
    }
}
