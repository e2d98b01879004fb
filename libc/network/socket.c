/* socket, socketpair - musl's, with the kernel's sockets linked by being named. */
#include <sys/socket.h>

#include "syscall.h"

long os_socket_make(long domain, long type, long protocol);
long os_socket_make_pair(long domain, long type, long protocol, int *fd);

int socket(int domain, int type, int protocol)
{
    return __syscall_ret(os_socket_make(domain, type, protocol));
}

int socketpair(int domain, int type, int protocol, int fd[2])
{
    return __syscall_ret(os_socket_make_pair(domain, type, protocol, fd));
}
