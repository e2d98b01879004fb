// Whether the other end has shut down: POLLRDHUP and EPOLLRDHUP.  Result: correct.
// -DBUG waits for it where the other end is open: deadlock.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *work(void *arg)
{
#ifndef BUG
    shutdown(ends[1], SHUT_WR);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    int set = epoll_create1(0);
    struct epoll_event got, add = {.events = EPOLLRDHUP};
    struct pollfd one = {ends[0], POLLIN | POLLRDHUP, 0};
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &add) == 0);
    assert(poll(&one, 1, 0) == 0 && epoll_wait(set, &got, 1, 0) == 0);
    pthread_create(&thread, NULL, work, NULL);
    assert(epoll_wait(set, &got, 1, -1) == 1 && got.events == EPOLLRDHUP);
    assert(poll(&one, 1, 0) == 1 && one.revents == (POLLIN | POLLRDHUP));
    close(ends[1]);
    assert(epoll_wait(set, &got, 1, 0) == 1 && got.events == (EPOLLRDHUP | EPOLLHUP));
    pthread_join(thread, NULL);
    assert(dup2(set, -1) == -1 && errno == EBADF);
    assert(dup3(set, -1, 0) == -1 && errno == EBADF);
    assert(fcntl(set, F_DUPFD, -1) == -1 && errno == EINVAL);
    close(ends[0]);
    close(set);
}
