/* socket_data.c - sending and receiving. */
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/poll.h"
#include "os/fs/transfer.h"
#include "os/net/socket.h"
#include "os/signal.h"
#include "os/state.h"

bool os_socket_may_wait(const struct os_open *open, const struct os_message *message, int limit)
{
    return !(open->flags & OS_NONBLOCK) && !(message && message->flags & DONTWAIT) &&
           !(open->node->socket->options & limit);
}

static void take(struct os_node *node, size_t size, struct os_message *message)
{
    size_t there = os_node_size(node);
    os_rights_take(node->socket, message ? message->rights : NULL, size);
    if (size < there)
        __builtin_memmove(node->data, node->data + size, there - size);
    os_node_resize(node, there - size);
}

/* Returns how much one call reads: of datagrams the first, of a stream or of packets all there
 * is. */
size_t os_socket_there(const struct os_node *node)
{
    struct os_record record;
    size_t size = os_node_size(node), all = 0;
    if (node->socket->type == STREAM)
        return size;
    for (size_t at = 0; at < size; at += sizeof record + record.size) {
        __builtin_memcpy(&record, node->data + at, sizeof record);
        all += record.size;
        if (node->socket->type == DATAGRAM)
            break;
    }
    return all;
}

/* Tells the peer, who may wait to send, that there is room. */
static void room_made(const struct os_node *node)
{
    if (node->socket->peer)
        os_poll_edge(node->socket->peer, OS_POLL_OUT);
}

static long read_record(struct os_node *node, unsigned char *buffer, size_t size,
                        struct os_message *message)
{
    struct os_record record;
    int flags = message ? message->flags : 0;
    if (os_node_size(node) == 0)
        return 0;
    __builtin_memcpy(&record, node->data, sizeof record);
    size_t part = size < record.size ? size : record.size;
    if (part)
        __builtin_memcpy(buffer, node->data + sizeof record, part);
    if (message) {
        message->size = record.from.size;
        __builtin_memcpy(message->address, record.from.bytes, record.from.size);
        message->truncated = part < record.size;
    }
    if (!(flags & PEEK)) {
        take(node, sizeof record + record.size, message);
        room_made(node);
    }
    return (long)(flags & TRUNC ? record.size : part);
}

static long read_stream(struct os_open *open, unsigned char *buffer, size_t size,
                        struct os_message *message)
{
    struct os_node *node = open->node;
    int flags = message ? message->flags : 0;
    size_t done = 0;
    do {
        if (done && !os_node_wait(node, &node->can_read))
            break;
        size_t there = os_node_size(node), limit = os_rights_limit(node->socket);
        size_t part = size - done < there ? size - done : there;
        part = part < limit ? part : limit; /* ends with what has descriptors */
        if (part)
            __builtin_memcpy(buffer + done, node->data, part);
        if (part && !(flags & PEEK)) {
            take(node, part, message);
            room_made(node);
        }
        done += part;
        os_socket_refresh_both(node);
        if (part == 0 || part == limit)
            break;
    } while (flags & WAITALL && !(flags & PEEK) && done < size);
    return (long)done;
}

long os_socket_read(struct os_open *open, unsigned char *buffer, size_t size,
                    struct os_message *message)
{
    struct os_node *node = open->node;
    struct os_socket *socket = node->socket;
    if (!message && size == 0)
        return 0;
    if (os_socket_is_stream(socket) && !socket->connected)
        return -ENOTCONN_;
    if (!node->can_read && !os_socket_may_wait(open, message, OPTION_READ_LIMIT))
        return -EAGAIN_;
    if (!os_node_wait(node, &node->can_read))
        return -EINTR_;
    if (socket->reset && (os_node_size(node) == 0 || socket->type == PACKETS))
        return os_socket_error(socket);
    if (socket->type == STREAM)
        return size ? read_stream(open, buffer, size, message) : 0;
    long result = read_record(node, buffer, size, message);
    os_socket_refresh_both(node);
    return result;
}

static long broken(struct os_socket *socket, const struct os_message *message)
{
    enum { PIPE = 13 };
    if (socket->domain == INET && socket->reset)
        return os_socket_error(socket);
    if (!(message && message->flags & NOSIGNAL))
        os_signal_send(os_self(), PIPE);
    return -EPIPE_;
}

static long write_stream(struct os_open *open, const unsigned char *buffer, size_t size,
                         const struct os_message *message)
{
    struct os_node *node = open->node;
    struct os_socket *socket = node->socket;
    size_t done = 0;
    while (done < size) {
        if (os_socket_is_broken(socket))
            return done ? (long)done : broken(socket, message);
        if (!node->can_write && !os_socket_may_wait(open, message, OPTION_WRITE_LIMIT))
            return done ? (long)done : -EAGAIN_;
        if (!os_node_wait(node, &node->can_write))
            return done ? (long)done : -EINTR_;
        if (os_socket_is_broken(socket))
            continue;
        struct os_node *peer = socket->peer;
        size_t there = os_node_size(peer), part = size - done;
        part = part < CAPACITY - there ? part : CAPACITY - there;
        if (done == 0)
            os_rights_send(peer->socket, message ? message->rights : NULL, there, there + part);
        os_node_resize(peer, there + part);
        __builtin_memcpy(peer->data + there, buffer + done, part);
        done += part;
        os_poll_edge(peer, OS_POLL_IN);
        os_socket_refresh_both(node);
    }
    return size == 0 && os_socket_is_broken(socket) ? broken(socket, message) : (long)done;
}

static void put_record(struct os_node *to, const struct os_address *from,
                       const unsigned char *buffer, size_t size,
                       const struct os_message *message)
{
    struct os_record record;
    size_t there = os_node_size(to);
    __builtin_memset(&record, 0, sizeof record);
    record.size = size;
    record.from = *from;
    os_rights_send(to->socket, message ? message->rights : NULL, there, there + 1);
    os_node_resize(to, there + sizeof record + size);
    __builtin_memcpy(to->data + there, &record, sizeof record);
    if (size)
        __builtin_memcpy(to->data + there + sizeof record, buffer, size);
    os_poll_edge(to, OS_POLL_IN);
    os_socket_refresh(to);
}

/* Finds where a record goes. */
static long target(struct os_socket *socket, const struct os_message *message,
                   struct os_node **to)
{
    *to = socket->peer;
    if (message && message->size && !os_socket_is_stream(socket)) {
        struct os_address name = {.size = message->size};
        __builtin_memcpy(name.bytes, message->address, message->size);
        return os_socket_find(socket, &name, to);
    }
    if (*to)
        return 0;
    if (!socket->connected)
        return socket->domain == UNIX ? -ENOTCONN_ : -EDESTADDRREQ_;
    socket->connected = socket->domain == INET; /* a peer that is gone is told once */
    return -ECONNREFUSED_;
}

static long write_record(struct os_open *open, const unsigned char *buffer, size_t size,
                         const struct os_message *message)
{
    struct os_node *node = open->node, *to;
    struct os_socket *socket = node->socket;
    if (size + sizeof(struct os_record) > CAPACITY)
        return -EMSGSIZE_;
    for (;;) {
        if (os_socket_is_broken(socket))
            return broken(socket, message);
        long error = target(socket, message, &to);
        if (error == -ECONNREFUSED_ && socket->domain == INET)
            return (long)size; /* it gets lost */
        if (error)
            return error;
        if (os_node_size(to) + sizeof(struct os_record) + size <= CAPACITY)
            break;
        if (!os_socket_may_wait(open, message, OPTION_WRITE_LIMIT))
            return -EAGAIN_;
        if (os_poll_wait(NULL))
            return -EINTR_;
    }
    os_socket_bind_any(node);
    put_record(to, &socket->name, buffer, size, message);
    os_socket_refresh(node);
    return (long)size;
}

long os_socket_write(struct os_open *open, const unsigned char *buffer, size_t size,
                     const struct os_message *message)
{
    const struct os_socket *socket = open->node->socket;
    if (os_socket_is_stream(socket) && !socket->connected)
        return -ENOTCONN_;
    long error = os_rights_check(socket, message ? message->rights : NULL);
    if (error)
        return error;
    return socket->type == STREAM ? write_stream(open, buffer, size, message)
                                  : write_record(open, buffer, size, message);
}
