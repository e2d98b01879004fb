// Result: correct.
// Pipes that are almost full, requests of ioctl, lists of parts that are none, and descriptors
// that a set of epoll has while a copy of them is still open.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "say.h"

static char big[70000];
static int ends[2];

static int has_room(void)
{
    struct pollfd p = {.fd = ends[1], .events = POLLOUT};
    return poll(&p, 1, 0);
}

static void full(void)
{
    SAY(fcntl(ends[1], F_SETFL, O_NONBLOCK));
    SAY(write(ends[1], big, 70000)); // as much as fits
    SAY(write(ends[1], big, 1));
    SAY(read(ends[0], big, 8192));
    SAY(write(ends[1], big, 20000));
    SAY(write(ends[1], big, 20000));
    SAY(read(ends[0], big, 70000));
    SAY(write(ends[1], big, 65530));
    for (int k = 0; k < 7; k++)
        SAY(write(ends[1], big, 1));
    SAY(write(ends[1], big, 5000));
    SAY(has_room());
    SAY(read(ends[0], big, 4096));
    SAY(has_room());
    SAY(read(ends[0], big, 70000));
}

static void told(const char *name, int fd)
{
    int there = -99;
    errno = 0;
    int result = ioctl(fd, FIONREAD, &there);
    printf("%s: %d %d %d\n", name, result, errno, there);
}

static void requests(void)
{
    int pair[2], packets[2], on = 1;
    char name[] = "/tmp/divm-XXXXXX";
    int file = mkstemp(name);
    SAY(write(ends[1], big, 100));
    told("pipe", ends[0]);
    told("pipe", ends[1]);
    SAY(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    SAY(socketpair(AF_UNIX, SOCK_DGRAM, 0, packets));
    SAY(write(pair[0], "abc", 3) + write(pair[0], "d", 1));
    SAY(write(packets[0], "abc", 3) + write(packets[0], "d", 1));
    told("stream", pair[1]);
    told("datagrams", packets[1]);
    SAY(write(file, "abcdef", 6) + lseek(file, 2, SEEK_SET));
    told("file", file);
    lseek(file, 9, SEEK_SET);
    told("file", file);
    told("none", 99);
    SAY(ioctl(ends[0], 0x1234));
    SAY(ioctl(ends[0], FIONBIO, &on));
    SAY(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
    on = 0;
    SAY(ioctl(ends[0], FIONBIO, &on));
    SAY(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
    SAY(ioctl(ends[0], FIOCLEX));
    SAY(fcntl(ends[0], F_GETFD));
    SAY(ioctl(ends[0], FIONCLEX));
    SAY(fcntl(ends[0], F_GETFD));
    SAY(unlink(name) + close(file));
}

static void parts(void)
{
    char a[3], b[4];
    struct iovec v[2] = {{a, 3}, {b, 4}};
    SAY(readv(ends[0], v, -1));
    SAY(readv(ends[0], v, 0));
    SAY(readv(ends[0], v, 1025));
    SAY(readv(ends[0], v, 2));
    SAY(writev(ends[1], v, -1));
    SAY(writev(ends[1], v, 0));
    SAY(writev(1, v, -1));
    SAY(readv(-1, v, -1));
    SAY(readv(ends[1], v, -1));
    v[0].iov_len = (size_t)-1;
    SAY(readv(ends[0], v, 2));
    SAY(writev(ends[1], v, 2));
}

static void watched(void)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 1}, found[4];
    int set = epoll_create1(0), copy = dup(ends[0]), old = ends[0];
    SAY(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event));
    SAY(close(old));
    SAY(epoll_wait(set, found, 4, 0)); // the copy is open
    SAY(epoll_ctl(set, EPOLL_CTL_MOD, old, &event));
    SAY(dup2(copy, old) == old); // the same file under the same number
    SAY(epoll_ctl(set, EPOLL_CTL_ADD, old, &event));
    SAY(close(old));
    SAY(dup2(ends[1], old) == old); // another one
    event.events = EPOLLOUT;
    event.data.u32 = 2;
    SAY(epoll_ctl(set, EPOLL_CTL_ADD, old, &event));
    SAY(epoll_wait(set, found, 4, 0));
    SAY(epoll_ctl(set, EPOLL_CTL_DEL, old, NULL));
    SAY(epoll_wait(set, found, 4, 0));
    SAY(found[0].data.u32);
    SAY(close(copy)); // the last one
    SAY(epoll_wait(set, found, 4, 0));
    SAY(close(set));
}

int main(void)
{
    if (pipe(ends))
        return 1;
    full();
    requests();
    parts();
    watched();
    return 0;
}
