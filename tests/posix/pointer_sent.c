// A thread gets a pointer by a pipe, as what epoll says of a descriptor, or from a file;
// what it points to is then common to both.  They write to it in turn.  Result: correct.
// -DPIPE, both at once: data race.
// -DSOCKET, both at once: data race.
// -DEPOLL, both at once: data race.
// -DFILES, both at once: data race.
// -DPIPE_ATOMIC, by a load and a store: assertion violation.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static int fd[2], epoll;

static void add(int *p)
{
#ifdef PIPE_ATOMIC
    int seen = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    __atomic_store_n(p, seen + 1, __ATOMIC_SEQ_CST);
#else
    ++*p;
#endif
}

static void *receive(void *arg)
{
    int *p = arg;
#ifdef EPOLL
    struct epoll_event event;
    assert(epoll_wait(epoll, &event, 1, -1) == 1);
    p = event.data.ptr;
#else
    assert(read(fd[0], &p, sizeof p) == sizeof p);
#endif
    add(p);
    return NULL;
}

static void open_all(int *p)
{
#ifdef SOCKET
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0);
#elif defined FILES
    fd[1] = open("/tmp/pointer", O_CREAT | O_WRONLY, 0600);
    fd[0] = open("/tmp/pointer", O_RDONLY);
#else
    assert(pipe(fd) == 0);
#endif
    struct epoll_event event = {.events = EPOLLOUT, .data.ptr = p};
    epoll = epoll_create1(0);
#ifdef EPOLL
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, fd[1], &event) == 0);
#else
    (void)event;
#endif
}

int main(void)
{
    int *p = malloc(sizeof *p);
    pthread_t thread;
    if (!p)
        return 0;
    *p = 0;
    open_all(p);
#ifdef FILES
    assert(write(fd[1], &p, sizeof p) == sizeof p);
#endif
    pthread_create(&thread, NULL, receive, NULL);
#if !defined EPOLL && !defined FILES
    assert(write(fd[1], &p, sizeof p) == sizeof p);
#endif
#if defined PIPE || defined SOCKET || defined EPOLL || defined FILES || defined PIPE_ATOMIC
    add(p);
#endif
    pthread_join(thread, NULL);
#ifdef PIPE_ATOMIC
    assert(*p == 2);
#endif
    free(p);
    close(fd[0]);
    close(fd[1]);
    close(epoll);
    return 0;
}
