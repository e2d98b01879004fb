// Who closes a connection without having read all resets it: the other end is told so once, of
// a stream after what came before.  So is who was never accepted. Result: correct
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char bytes[8];

static int error_of(int fd)
{
    int error = -1;
    socklen_t size = sizeof error;
    assert(!getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size));
    return error;
}

static int events_of(int fd)
{
    struct pollfd watch = {.fd = fd, .events = POLLIN};
    assert(poll(&watch, 1, 0) == 1);
    return watch.revents;
}

static void pair(int type)
{
    int fd[2];
    assert(!socketpair(AF_UNIX, type, 0, fd));
    assert(write(fd[1], "abc", 3) == 3 && write(fd[0], "d", 1) == 1);
    assert(!close(fd[0]));
    assert(events_of(fd[1]) == (POLLIN | POLLHUP | POLLERR));
    assert(read(fd[1], bytes, 0) == 0);
    if (type == SOCK_SEQPACKET) /* here it is told first */
        assert(read(fd[1], bytes, 8) == -1 && errno == ECONNRESET);
    assert(read(fd[1], bytes, 8) == 1 && bytes[0] == 'd');
    assert(write(fd[1], "e", 1) == -1 && errno == EPIPE);
    if (type == SOCK_STREAM)
        assert(read(fd[1], bytes, 8) == -1 && errno == ECONNRESET);
    assert(read(fd[1], bytes, 8) == 0);
    assert(!close(fd[1]));

    assert(!socketpair(AF_UNIX, type, 0, fd)); /* all was read */
    assert(write(fd[1], "abc", 3) == 3 && read(fd[0], bytes, 8) == 3);
    assert(!close(fd[0]));
    assert(read(fd[1], bytes, 8) == 0);
    assert(!close(fd[1]));
}

static void asked(void)
{
    int fd[2];
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
    assert(write(fd[1], "abc", 3) == 3);
    assert(!close(fd[0]));
    assert(error_of(fd[1]) == ECONNRESET && error_of(fd[1]) == 0);
    assert(events_of(fd[1]) == (POLLIN | POLLHUP));
    assert(read(fd[1], bytes, 8) == 0);
    assert(!close(fd[1]));
}

static void not_accepted(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0reset"};
    int listens = socket(AF_UNIX, SOCK_STREAM, 0), fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(!bind(listens, (struct sockaddr *)&name, sizeof name) && !listen(listens, 1));
    assert(!connect(fd, (struct sockaddr *)&name, sizeof name));
    assert(!close(listens));
    assert(read(fd, bytes, 8) == -1 && errno == ECONNRESET);
    assert(read(fd, bytes, 8) == 0);
    assert(!close(fd));
}

static void internet(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof name;
    int listens = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(!bind(listens, (struct sockaddr *)&name, size) && !listen(listens, 1));
    assert(!getsockname(listens, (struct sockaddr *)&name, &size));
    assert(!connect(fd, (struct sockaddr *)&name, sizeof name));
    int got = accept(listens, NULL, NULL);
    assert(write(fd, "abc", 3) == 3 && read(got, bytes, 1) == 1);
    assert(!close(got));
    assert(write(fd, "d", 1) == -1 && errno == ECONNRESET);
    assert(write(fd, "d", 1) == -1 && errno == EPIPE);
    assert(!close(fd) && !close(listens));
}

static void datagrams(void)
{
    int fd[2];
    assert(!socketpair(AF_UNIX, SOCK_DGRAM, 0, fd));
    assert(write(fd[0], "abc", 3) == 3);
    assert(read(fd[1], bytes, 0) == 0); /* which takes none */
    assert(read(fd[1], bytes, 8) == 3);
    assert(write(fd[1], "abc", 3) == 3 && !close(fd[0]));
    assert(write(fd[1], "d", 1) == -1 && errno == ECONNREFUSED);
    assert(write(fd[1], "d", 1) == -1 && errno == ENOTCONN);
    assert(!close(fd[1]));
}

static void pipes(void)
{
    int fd[2];
    assert(!pipe(fd));
    assert(read(fd[0], bytes, 0) == 0); /* does not wait */
    assert(!close(fd[0]));
    assert(write(fd[1], bytes, 0) == 0);
    assert(write(fd[1], bytes, 1) == -1 && errno == EPIPE);
    assert(!close(fd[1]));
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    pair(SOCK_STREAM);
    pair(SOCK_SEQPACKET);
    asked();
    not_accepted();
    internet();
    datagrams();
    pipes();
    assert(ftruncate(-1, -1) == -1 && errno == EINVAL);
    assert(truncate("/tmp", 0) == -1 && errno == EISDIR);
    return 0;
}
