// A signal that is for a thread comes also when all others have ended meanwhile: before what it
// does next, or while it waits, so that a handler can make it go on.  By number: read, poll,
// select, epoll_wait, recv, sigwait, an eventfd, an alarm, a child that ends, and a loop that
// waits for nothing.
//
// Result: correct. -DCALL=1..9: correct.  -DLOST never makes it go on: deadlock.
// -DFAILS: assertion violation.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CALL
#define CALL 0
#endif

static int ends[2], event;
static pthread_t first;
static atomic_int called;

static void handle(int signal)
{
    int before = errno;
    (void)signal;
#ifdef FAILS
    assert(0);
#endif
    called = 1;
#ifndef LOST
    if (CALL == 4)
        assert(send(ends[1], "x", 1, 0) == 1);
    else if (CALL == 5)
        raise(SIGUSR2);
    else if (CALL == 6)
        eventfd_write(event, 1);
    else
        assert(write(ends[1], "x", 1) == 1);
#endif
    errno = before;
}

static void *send_signal(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return arg;
}

static void await(void)
{
    char byte;
    fd_set set;
    sigset_t second;
    eventfd_t value;
    struct pollfd entry = {.fd = ends[0], .events = POLLIN};
    struct epoll_event watched = {.events = EPOLLIN};
    int epoll, got = -1;
    switch (CALL) {
    case 1:
    case 8: got = poll(&entry, 1, -1); break;
    case 2:
        FD_ZERO(&set);
        FD_SET(ends[0], &set);
        got = select(ends[0] + 1, &set, NULL, NULL, NULL);
        break;
    case 3:
        epoll = epoll_create1(0);
        epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &watched);
        got = epoll_wait(epoll, &watched, 1, -1);
        close(epoll);
        break;
    case 4: got = (int)recv(ends[0], &byte, 1, 0); break;
    case 5:
        sigemptyset(&second);
        sigaddset(&second, SIGUSR2);
        assert(sigwait(&second, &got) == 0 && got == SIGUSR2);
        break;
    case 6: got = eventfd_read(event, &value) ? -1 : 1; break;
    case 9:
        while (!called)
            sched_yield();
        return;
    default: got = (int)read(ends[0], &byte, 1);
    }
    if (got < 0) {
        assert(errno == EINTR && called);
        await();
    }
}

int main(void)
{
    pthread_t other;
    sigset_t second;
    struct sigaction action = {.sa_handler = handle};
    sigaction(CALL == 7 ? SIGALRM : CALL == 8 ? SIGCHLD : SIGUSR1, &action, NULL);
    if (CALL == 5) {
        sigemptyset(&second);
        sigaddset(&second, SIGUSR2);
        sigprocmask(SIG_BLOCK, &second, NULL);
    }
    first = pthread_self();
    event = eventfd(0, 0);
    if (CALL == 4)
        socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    else
        pipe(ends);
    if (CALL == 7)
        alarm(1);
    else if (CALL == 8 && fork() == 0)
        _exit(0);
    else if (CALL != 8)
        pthread_create(&other, NULL, send_signal, NULL);
    await();
    if (CALL < 7 || CALL == 9)
        pthread_join(other, NULL);
    if (CALL == 8)
        assert(wait(NULL) > 0);
    return 0;
}
