// Descriptors are sent over sockets, between processes and on their own: what they stand for
// is the same, is there as long as one of them is, and is closed when nobody takes it.
//
// Result: correct.  -DBUG the sender waits for the end of a pipe that it keeps open itself:
// deadlock.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(2 * sizeof(int))];
};

static int send_two(int socket, const char *text, int a, int b)
{
    union control control = {0};
    int fd[2] = {a, b}, count = b < 0 ? 1 : 2;
    struct iovec data = {(char *)text, strlen(text)};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = CMSG_SPACE(count * sizeof(int))};
    control.header.cmsg_len = CMSG_LEN(count * sizeof(int));
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.header), fd, count * sizeof(int));
    return sendmsg(socket, &message, 0) == (ssize_t)strlen(text) ? 0 : errno;
}

/* How many came, with room for so many. */
static int receive(int socket, char *text, size_t size, int room, int *fd, int *flags)
{
    union control control;
    struct iovec data = {text, size - 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = room ? CMSG_LEN(room * sizeof(int)) : 0};
    ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    assert(got >= 0);
    text[got] = 0;
    *flags = message.msg_flags;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (!header)
        return 0;
    assert(header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS);
    int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    memcpy(fd, CMSG_DATA(header), count * sizeof(int));
    return count;
}

static void processes(void)
{
    int pair[2], ends[2], got[2], flags;
    char text[8];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pipe(ends) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        close(ends[1]);
        assert(receive(pair[1], text, sizeof text, 2, got, &flags) == 1);
        assert(!strcmp(text, "take") && write(got[0], "hi", 2) == 2);
        assert(fcntl(got[0], F_GETFD) == FD_CLOEXEC);
        _exit(0);
    }
    assert(send_two(pair[0], "take", ends[1], -1) == 0);
#ifndef BUG
    close(ends[1]);
#endif
    assert(read(ends[0], text, sizeof text) == 2 && !memcmp(text, "hi", 2));
    assert(read(ends[0], text, sizeof text) == 0); /* the child has ended */
    assert(waitpid(pid, NULL, 0) == pid);
    close(pair[0]);
    close(pair[1]);
    close(ends[0]);
}

static void alone(int type)
{
    int pair[2], ends[2], got[2], flags;
    char text[8];
    assert(socketpair(AF_UNIX, type, 0, pair) == 0 && pipe(ends) == 0);
    assert(send_two(pair[0], "x", ends[1], 99) == EBADF);
    assert(write(pair[0], "ab", 2) == 2);
    assert(send_two(pair[0], "cd", ends[0], ends[1]) == 0);
    assert(send_two(pair[0], "e", ends[1], -1) == 0);
    assert(send_two(pair[0], "f", ends[1], -1) == 0);
    close(ends[1]);
    if (type != SOCK_STREAM)
        assert(receive(pair[1], text, sizeof text, 2, got, &flags) == 0);
    assert(receive(pair[1], text, sizeof text, 2, got, &flags) == 2);
    assert(!strcmp(text, type == SOCK_STREAM ? "abcd" : "cd"));
    assert((flags & MSG_CTRUNC) == 0 && write(got[1], "q", 1) == 1 &&
           read(got[0], text, 1) == 1);
    close(got[0]);
    close(got[1]);
    assert(receive(pair[1], text, sizeof text, 0, got, &flags) == 0 && !strcmp(text, "e"));
    assert(flags & MSG_CTRUNC);
    assert(read(pair[1], text, sizeof text) == 1 && text[0] == 'f'); /* and closes it */
    assert(read(ends[0], text, 1) == 0);
    assert(pipe(got) == 0 && send_two(pair[0], "gh", got[1], -1) == 0);
    close(got[1]);
    close(pair[1]); /* with it on its way */
    assert(read(got[0], text, 1) == 0);
    close(got[0]);
    close(pair[0]);
    close(ends[0]);
}

static void too_many(void)
{
    int pair[2], got[2], flags;
    char text[8];
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    assert(send_two(pair[0], "two", 0, 1) == 0);
    assert(receive(pair[1], text, sizeof text, 1, got, &flags) == 1 && flags & MSG_CTRUNC);
    close(got[0]);
    close(pair[0]);
    close(pair[1]);
}

int main(void)
{
    alone(SOCK_STREAM);
    alone(SOCK_DGRAM);
    alone(SOCK_SEQPACKET);
    too_many();
    processes();
    return 0;
}
