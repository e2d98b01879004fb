/* transfer.h - reading and writing, also with what a socket's calls say in addition.
 *
 * os/net/socket_data.c has the functions of sockets, which are linked where there are sockets;
 * in the kernel, and they may wait or be interrupted, unless it says otherwise. */
#ifndef OS_FS_TRANSFER_H
#define OS_FS_TRANSFER_H

#include "os/fs/open.h"

/* Like a pipe's, with what a socket's calls say in addition; os/net/socket.c, linked where
 * there are sockets.  In os_message: MSG_* flags, and an address of struct sockaddr. */
enum { OS_RIGHTS_MAX = 253 };
struct os_rights {
    size_t count; /* of descriptors to be sent, or that were received */
    size_t room;  /* to receive */
    int close_on_exec;
    int truncated; /* there were more */
    int fd[OS_RIGHTS_MAX];
};
struct os_message {
    int flags;
    int truncated;
    size_t size;
    struct os_rights *rights; /* NULL: neither sent nor asked for */
    unsigned char address[110];
};
long os_socket_read(struct os_open *open, unsigned char *buffer, size_t size,
                    struct os_message *message);
long os_socket_write(struct os_open *open, const unsigned char *buffer, size_t size,
                     const struct os_message *message);
void os_socket_close(struct os_node *node);
int os_socket_events(const struct os_node *node);   /* OS_POLL_* */
size_t os_socket_there(const struct os_node *node); /* bytes to be read; FIONREAD */

/* Transfers, from user mode, with a message if it is a socket's call. */
long os_transfer(bool writes, long fd, void *data, size_t size, struct os_message *message);
long os_transfer_vector(bool writes, long fd, const void *vector, long count,
                        struct os_message *message);

#endif
