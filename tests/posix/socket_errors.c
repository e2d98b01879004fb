// What sockets refuse, and their options.
//
// Result: correct.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define FAILS(call, error) assert((call) == -1 && errno == (error))

static void streams(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
    struct sockaddr *any = (struct sockaddr *)&address;
    struct pollfd poller = {.events = POLLIN | POLLOUT};
    char c;
    int fd = socket(AF_INET, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    FAILS(connect(fd, any, sizeof address), ECONNREFUSED);
    FAILS(recv(fd, &c, 1, 0), ENOTCONN);
    FAILS(send(fd, &c, 1, 0), ENOTCONN);
    FAILS(accept(fd, NULL, NULL), EINVAL);
    FAILS(shutdown(fd, SHUT_RD), ENOTCONN);
    FAILS(connect(fd, any, 2), EINVAL);
    assert(bind(fd, any, sizeof address) == 0);
    FAILS(bind(fd, any, sizeof address), EINVAL);
    FAILS(bind(other, any, sizeof address), EADDRINUSE);
    assert(listen(fd, 1) == 0);
    assert(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
    FAILS(accept(fd, NULL, NULL), EAGAIN);
    assert(connect(other, any, sizeof address) == 0);
    FAILS(connect(other, any, sizeof address), EISCONN);
    int third = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    FAILS(connect(third, any, sizeof address), EAGAIN);
    poller.fd = fd;
    assert(poll(&poller, 1, -1) == 1 && poller.revents == POLLIN);
    int got = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    FAILS(recv(got, &c, 1, 0), EAGAIN);
    poller.fd = got;
    assert(poll(&poller, 1, -1) == 1 && poller.revents == POLLOUT);
    assert(send(other, "a", 1, 0) == 1);
    assert(poll(&poller, 1, -1) == 1 && poller.revents == (POLLIN | POLLOUT));
    close(other);
    assert(recv(got, &c, 1, 0) == 1 && recv(got, &c, 1, 0) == 0);
    assert(poll(&poller, 1, -1) == 1 && poller.revents & POLLHUP);
    signal(SIGPIPE, SIG_IGN);
    FAILS(send(got, &c, 1, 0), EPIPE);
    address.sin_addr.s_addr = htonl(0x08080808);
    FAILS(connect(third, any, sizeof address), ENETUNREACH);
    FAILS(bind(third, any, sizeof address), EADDRNOTAVAIL);
    close(third);
    close(got);
    close(fd);
}

static void options(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), value = 1, pair[2];
    struct timeval limit = {1, 0};
    char c;
    socklen_t size = sizeof value;
    assert(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &value, sizeof value) == 0);
    assert(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, sizeof value) == 0);
    assert(getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &size) == 0 && value == SOCK_STREAM);
    assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &value, &size) == 0 && value == 0);
    FAILS(getsockopt(fd, SOL_SOCKET, 999, &value, &size), ENOPROTOOPT);
    close(fd);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    assert(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    FAILS(recv(pair[0], &c, 1, 0), EAGAIN);
    close(pair[0]);
    close(pair[1]);
}

int main(void)
{
    struct stat status;
    int fd[2];
    struct sockaddr_un path = {AF_UNIX, "/tmp/none"};
    FAILS(socket(AF_INET6, SOCK_STREAM, 0), EAFNOSUPPORT);
    FAILS(socket(AF_INET, SOCK_RAW, 0), EPROTONOSUPPORT);
    FAILS(socketpair(AF_INET, SOCK_STREAM, 0, fd), EOPNOTSUPP);
    FAILS(listen(1, 1), ENOTSOCK);
    FAILS(listen(77, 1), EBADF);
    int local = socket(AF_UNIX, SOCK_STREAM, 0);
    FAILS(listen(local, 1), EINVAL);
    FAILS(connect(local, (struct sockaddr *)&path, sizeof path), ENOENT);
    assert(bind(local, (struct sockaddr *)&path, sizeof path) == 0);
    assert(fstat(local, &status) == 0 && S_ISSOCK(status.st_mode));
    close(local);
    local = socket(AF_UNIX, SOCK_STREAM, 0);
    FAILS(connect(local, (struct sockaddr *)&path, sizeof path), ECONNREFUSED);
    FAILS(bind(local, (struct sockaddr *)&path, sizeof path), EADDRINUSE);
    assert(unlink(path.sun_path) == 0);
    close(local);
    streams();
    options();
    return 0;
}
