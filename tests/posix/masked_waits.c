// Calls that wait with a mask of their own for signals: what it lets through ends the wait,
// after its handler has run, and only there.  By number: ppoll, pselect, epoll_pwait,
// sigsuspend.
//
// Result: correct. -DCALL=1..3: correct.  -DPENDING sends the signal before: correct.
// -DSEEN says that it cannot come: assertion violation.  -DREADY is that what is waited for is
// there: correct.  -DLIMIT: correct.  -DCLOSED lets nothing through: deadlock.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#ifndef CALL
#define CALL 0
#endif

static volatile sig_atomic_t called;
static atomic_int waiting;
static pthread_t first;

static void handle(int signal)
{
    assert(waiting && signal == SIGUSR1);
#ifdef SEEN
    assert(0);
#endif
    called++;
}

static void *send_signal(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return arg;
}

static int await(const sigset_t *mask)
{
    struct epoll_event found;
    int ends[2], epoll, result = -1;
    struct timespec second = {.tv_sec = 1}, *limit = NULL;
    pipe(ends);
#ifdef LIMIT
    limit = &second;
#endif
#ifdef READY
    write(ends[1], "x", 1);
#endif
    struct pollfd entry = {.fd = ends[0], .events = POLLIN};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){.events = EPOLLIN});
    switch (CALL) {
    case 0: result = ppoll(&entry, 1, limit, mask); break;
    case 1: result = pselect(ends[0] + 1, &set, NULL, NULL, limit, mask); break;
    case 2: result = epoll_pwait(epoll, &found, 1, limit ? 1000 : -1, mask); break;
    case 3: result = sigsuspend(mask); break;
    }
    int error = errno;
    close(epoll);
    close(ends[0]);
    close(ends[1]);
    errno = error;
    (void)second;
    return result;
}

int main(void)
{
    pthread_t other;
    sigset_t blocked, mask, now;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, &mask);
#ifdef CLOSED
    mask = blocked;
#endif
    first = pthread_self();
#ifdef PENDING
    raise(SIGUSR1);
#else
    pthread_create(&other, NULL, send_signal, NULL);
#endif
    waiting = 1;
    int result = await(&mask);
    waiting = 0;
#ifdef READY
    assert((result == 1 && !called) || (result == -1 && errno == EINTR && called == 1));
#elif defined LIMIT
    assert((result == 0 && !called) || (result == -1 && errno == EINTR && called == 1));
#else
    assert(result == -1 && errno == EINTR && called == 1);
#endif
    sigprocmask(SIG_BLOCK, NULL, &now);
    assert(sigismember(&now, SIGUSR1));
#ifndef PENDING
    pthread_join(other, NULL);
#endif
    sigpending(&now);
    assert(sigismember(&now, SIGUSR1) == !called);
    return 0;
}
