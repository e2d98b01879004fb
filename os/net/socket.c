/* socket.c - sockets between the program's own threads and processes: made, connected, closed.
 *
 * A connect call returns as soon as the listening socket has room for one more connection that
 * is not yet accepted.  A socket receives a stream from its own node's data, where the peer
 * puts what it sends. */
#include "os/net/socket.h"
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/poll.h"
#include "os/fs/transfer.h"
#include "os/state.h"

enum { ATOMIC = 4096, BACKLOG_MAX = 128 };

/* ---- what can be waited for ------------------------------------------------------ */

static size_t waiting_count(const struct os_socket *socket)
{
    return socket->waiting ? __divm_obj_size(socket->waiting) / sizeof *socket->waiting : 0;
}

bool os_socket_is_stream(const struct os_socket *socket)
{
    return socket->type != DATAGRAM;
}

/* Will nothing come any more? */
static bool is_ended(const struct os_socket *socket)
{
    return socket->no_read || (os_socket_is_stream(socket) && socket->connected &&
                               (!socket->peer || socket->peer->socket->no_write));
}

bool os_socket_is_broken(const struct os_socket *socket)
{
    return socket->no_write || (os_socket_is_stream(socket) && socket->connected &&
                                (!socket->peer || socket->peer->socket->no_read));
}

static bool has_room(const struct os_node *node)
{
    return os_node_size(node) + ATOMIC <= CAPACITY;
}

void os_socket_refresh(struct os_node *node)
{
    const struct os_socket *socket = node->socket;
    if (socket->backlog) {
        node->can_read = waiting_count(socket) != 0;
        node->can_write = 0;
    } else {
        node->can_read = os_node_size(node) != 0 || is_ended(socket);
        node->can_write =
            !socket->peer || os_socket_is_broken(socket) || has_room(socket->peer);
    }
    os_poll_wake();
}

int os_socket_events(const struct os_node *node)
{
    const struct os_socket *socket = node->socket;
    int found = (node->can_read ? OS_POLL_IN : 0) | (node->can_write ? OS_POLL_OUT : 0);
    if (os_socket_is_stream(socket) && !socket->backlog &&
        (!socket->connected || (is_ended(socket) && os_socket_is_broken(socket))))
        found |= OS_POLL_HUP;
    if (os_socket_is_stream(socket) && !socket->backlog && is_ended(socket))
        found |= OS_POLL_RDHUP;
    return found | (socket->reset ? OS_POLL_ERR : 0);
}

long os_socket_error(struct os_socket *socket)
{
    int reset = socket->reset;
    socket->reset = 0;
    return reset ? -ECONNRESET_ : 0;
}

void os_socket_refresh_both(struct os_node *node)
{
    os_socket_refresh(node);
    if (node->socket->peer)
        os_socket_refresh(node->socket->peer);
}

/* ---- making and closing ---------------------------------------------------------- */

static struct os_node *make(int domain, int type)
{
    struct os_node *node = os_node_make(OS_SOCKET, 0777);
    node->socket = __divm_obj_make(sizeof *node->socket, VM_OBJ_KERNEL);
    *node->socket = (struct os_socket){.domain = domain, .type = type};
    return node;
}

static void connect_pair(struct os_node *a, struct os_node *b)
{
    a->socket->connected = b->socket->connected = 1;
    a->socket->peer = b;
    b->socket->peer = a;
    os_poll_edge(a, OS_POLL_ALL);
    os_socket_refresh_both(a);
}

/* Tells all who have the socket as a peer that it is gone. */
static void leave_peers(const struct os_node *node, bool resets)
{
    const struct os_state *state = os_state();
    size_t count = __divm_obj_size(state->nodes) / sizeof *state->nodes;
    for (size_t k = 0; k < count; k++) {
        struct os_node *other = state->nodes[k];
        if (other && other->socket && other->socket->peer == node) {
            other->socket->peer = NULL;
            other->socket->reset = resets;
            os_poll_edge(other, OS_POLL_ALL);
            os_socket_refresh(other);
        }
    }
}

/* Ends a socket.  unread: something was not read, or the connection was not even accepted. */
static void end(struct os_node *node, bool unread)
{
    struct os_socket *socket = node->socket;
    for (size_t k = 0, count = waiting_count(socket); k < count; k++) {
        end(socket->waiting[k], true);
        os_node_unused(socket->waiting[k]);
    }
    if (socket->waiting)
        __divm_obj_free(socket->waiting, VM_OBJ_KERNEL);
    leave_peers(node, unread && os_socket_is_stream(socket));
    os_rights_take(socket, NULL, SIZE_MAX);
    os_node_resize(node, 0);
    __divm_obj_free(socket, VM_OBJ_KERNEL);
    node->socket = NULL;
    os_poll_wake();
}

void os_socket_close(struct os_node *node)
{
    end(node, os_node_size(node) != 0);
}

static long open_it(struct os_node *node, long type)
{
    enum { NONBLOCK = 04000, CLOEXEC = 02000000 };
    return os_open_node(node, OS_READ | OS_WRITE | (type & NONBLOCK ? OS_NONBLOCK : 0),
                        (type & CLOEXEC) != 0);
}

static long check_kind(long domain, long type, long protocol)
{
    enum { TCP = 6, UDP = 17 };
    if (domain != UNIX && domain != INET)
        return -EAFNOSUPPORT_;
    bool known = type == STREAM || type == DATAGRAM || (type == PACKETS && domain == UNIX);
    bool fits = protocol == 0 || (domain == INET && protocol == (type == STREAM ? TCP : UDP));
    return known && fits ? 0 : -EPROTONOSUPPORT_;
}

long os_socket_open(long domain, long type, long protocol)
{
    long error = check_kind(domain, type & 15, protocol);
    return error ? error : open_it(make((int)domain, (int)type & 15), type);
}

long os_socket_open_pair(long domain, long type, long protocol, int *fd)
{
    long error = check_kind(domain, type & 15, protocol);
    if (error || domain != UNIX)
        return error ? error : -EOPNOTSUPP_;
    struct os_node *a = make(UNIX, (int)type & 15), *b = make(UNIX, (int)type & 15);
    connect_pair(a, b);
    long first = open_it(a, type), second = open_it(b, type);
    fd[0] = (int)first;
    fd[1] = (int)second;
    return second < 0 ? second : 0;
}

/* ---- connecting ------------------------------------------------------------------ */

static void add_waiting(struct os_node *node, struct os_node *made)
{
    struct os_socket *socket = node->socket;
    size_t count = waiting_count(socket);
    if (count)
        __divm_obj_resize(socket->waiting, (count + 1) * sizeof made);
    else
        socket->waiting = __divm_obj_make(sizeof made, VM_OBJ_KERNEL);
    socket->waiting[count] = made;
    os_poll_edge(node, OS_POLL_IN);
    os_socket_refresh(node);
}

static void remove_waiting(struct os_node *node)
{
    struct os_socket *socket = node->socket;
    size_t count = waiting_count(socket);
    for (size_t k = 0; k + 1 < count; k++)
        socket->waiting[k] = socket->waiting[k + 1];
    if (count > 1) {
        __divm_obj_resize(socket->waiting, (count - 1) * sizeof *socket->waiting);
    } else {
        __divm_obj_free(socket->waiting, VM_OBJ_KERNEL);
        socket->waiting = NULL;
    }
    os_socket_refresh(node);
}

static long connect_stream(struct os_open *open, const struct os_address *name)
{
    struct os_node *node = open->node, *to;
    if (node->socket->connected || node->socket->backlog)
        return node->socket->connected ? -EISCONN_ : -EINVAL_;
    for (;;) {
        long error = os_socket_find(node->socket, name, &to);
        if (!error && !to->socket->backlog)
            error = -ECONNREFUSED_;
        if (error)
            return error;
        if (waiting_count(to->socket) < (size_t)to->socket->backlog)
            break;
        if (open->flags & OS_NONBLOCK)
            return -EAGAIN_;
        if (os_poll_wait(NULL))
            return -EINTR_;
    }
    os_socket_bind_any(node);
    struct os_node *made = make(node->socket->domain, node->socket->type);
    made->socket->name = to->socket->name;
    connect_pair(node, made);
    add_waiting(to, made);
    return 0;
}

long os_socket_connect(struct os_open *open, const struct os_address *name)
{
    struct os_node *node = open->node, *to = NULL;
    if (os_socket_is_stream(node->socket))
        return connect_stream(open, name);
    bool none = name->size >= 2 && name->bytes[0] == UNSPEC && name->bytes[1] == 0;
    long error = none ? 0 : os_socket_find(node->socket, name, &to);
    if (error == -ECONNREFUSED_ && node->socket->domain == INET)
        error = 0; /* nobody knows */
    if (error)
        return error;
    os_socket_bind_any(node);
    node->socket->connected = !none;
    node->socket->peer = to;
    os_socket_refresh(node);
    return 0;
}

long os_socket_listen(struct os_node *node, long backlog)
{
    struct os_socket *socket = node->socket;
    if (!os_socket_is_stream(socket))
        return -EOPNOTSUPP_;
    if (socket->connected || (socket->domain == UNIX && !socket->name.size))
        return -EINVAL_;
    long error = os_socket_bind_any(node);
    socket->backlog = backlog < 1 ? 1 : backlog > BACKLOG_MAX ? BACKLOG_MAX : (int)backlog;
    os_socket_refresh(node);
    return error;
}

long os_socket_accept(struct os_open *open, long flags, bool may_wait, struct os_address *name)
{
    struct os_node *node = open->node;
    if (!node->socket->backlog)
        return os_socket_is_stream(node->socket) ? -EINVAL_ : -EOPNOTSUPP_;
    if (!node->can_read && !may_wait)
        return -EAGAIN_;
    if (!os_node_wait(node, &node->can_read))
        return -EINTR_;
    struct os_node *made = node->socket->waiting[0];
    long fd = open_it(made, flags);
    if (fd < 0)
        return fd;
    if (made->socket->peer)
        *name = made->socket->peer->socket->name;
    remove_waiting(node);
    return fd;
}

long os_socket_shut(struct os_node *node, long how)
{
    struct os_socket *socket = node->socket;
    if (how < 0 || how > 2)
        return -EINVAL_;
    if (!socket->connected)
        return -ENOTCONN_;
    socket->no_read |= how != 1;
    socket->no_write |= how != 0;
    os_poll_edge(node, OS_POLL_ALL);
    if (socket->peer)
        os_poll_edge(socket->peer, OS_POLL_ALL);
    os_socket_refresh_both(node);
    return 0;
}
