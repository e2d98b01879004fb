/* socket.h - sockets as the kernel keeps them; the numbers are Linux's on x86-64.  In the
 * kernel, unless it says otherwise.  A socket belongs to its node.
 *
 * In the kernel, unless it says otherwise.  A socket belongs to its node. */
#ifndef OS_NET_SOCKET_H
#define OS_NET_SOCKET_H

#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/transfer.h"
#include "os/state.h"

enum { UNSPEC = 0, UNIX = 1, INET = 2 };
enum { STREAM = 1, DATAGRAM = 2, PACKETS = 5 };
enum {
    OOB = 1,
    PEEK = 2,
    CTRUNC = 8,
    TRUNC = 0x20,
    DONTWAIT = 0x40,
    WAITALL = 0x100,
    ERRQUEUE = 0x2000,
    NOSIGNAL = 0x4000
};
enum { NAME_MAX = 110 }; /* struct sockaddr_un */
enum { CAPACITY = 65536 };

/* An address as the program gives it; of no size: none. */
struct os_address {
    size_t size;
    unsigned char bytes[NAME_MAX];
};

/* The part of a node that only sockets have.  The node's data are what was sent to it and not
 * received yet: bytes of a stream, else records. */
struct os_socket {
    int domain, type, options;    /* OPTION_* */
    int backlog;                  /* not 0: it listens */
    int connected;                /* it was, though the peer may be gone */
    int no_read, no_write;        /* shutdown */
    int reset;                    /* the peer closed and had not read all: told once */
    struct os_node *peer;         /* NULL: none, or gone */
    struct os_node **waiting;     /* of one that listens: not yet accepted; made if any */
    struct os_attached *attached; /* descriptors on their way; made if any */
    struct os_address name;
};

enum { OPTION_REUSE = 1, OPTION_READ_LIMIT = 2, OPTION_WRITE_LIMIT = 4 };

/* The head of data in the queue of a socket that is no stream. */
struct os_record {
    size_t size;
    struct os_address from;
};

/* Calls between these files go in one direction: socket_call.c calls socket_data.c and
 * socket.c, socket_data.c calls socket.c, and all of them call socket_rights.c and
 * socket_name.c. */

/* socket_name.c, in the kernel: returns the socket that has this name, as the socket `by` sees
 * it. */
long os_socket_find(const struct os_socket *by, const struct os_address *name,
                    struct os_node **found);
long os_socket_bind(struct os_node *node, const struct os_address *name);
long os_socket_bind_any(struct os_node *node);

/* socket.c, in the kernel: makes a descriptor, or two, of new sockets; or returns an error. */
long os_socket_open(long domain, long type, long protocol);
long os_socket_open_pair(long domain, long type, long protocol, int *fd);
/* Update what can be waited for (can_read, can_write); the second, also the peer's. */
void os_socket_refresh(struct os_node *node);
void os_socket_refresh_both(struct os_node *node);
bool os_socket_is_stream(const struct os_socket *socket);
bool os_socket_is_broken(const struct os_socket *socket); /* nothing can be sent */
/* Returns the error that the socket has to report (0 if none), which is then forgotten. */
long os_socket_error(struct os_socket *socket);
long os_socket_connect(struct os_open *open, const struct os_address *name);
long os_socket_listen(struct os_node *node, long backlog);
/* may_wait: the call may wait for a connection; else it fails where there is none. */
long os_socket_accept(struct os_open *open, long flags, bool may_wait, struct os_address *name);
long os_socket_shut(struct os_node *node, long how);

/* socket_rights.c, in the kernel: whether descriptors can be sent; sending them with the data
 * from `place` to `end`; the size at which a receive of a stream must end; and receiving the
 * descriptors of the first bytes (rights is NULL: they are closed). */
long os_rights_check(const struct os_socket *socket, const struct os_rights *rights);
void os_rights_send(struct os_socket *to, const struct os_rights *rights, size_t place,
                    size_t end);
size_t os_rights_limit(const struct os_socket *socket);
void os_rights_take(struct os_socket *socket, struct os_rights *rights, size_t size);
/* From user mode: reads a program's control messages; writes them. */
long os_rights_read(struct os_rights *rights, const void *control, size_t size);
void os_rights_make_room(struct os_rights *rights, size_t size);
size_t os_rights_write(const struct os_rights *rights, void *control, size_t size);

/* socket_data.c: may a call on the socket wait?  limit: the socket's option that forbids it. */
bool os_socket_may_wait(const struct os_open *open, const struct os_message *message,
                        int limit);

#endif
