// EPOLLET tells of a descriptor once, and again when something has happened to it.
//
// Result: correct.  -DBUG reads less than there is and waits: deadlock.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int set;

static void watch(int operation, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.fd = fd};
    assert(epoll_ctl(set, operation, fd, &event) == 0);
}

/* What is told of the only one that is; 0: nothing. */
static uint32_t told(void)
{
    struct epoll_event event[2];
    int count = epoll_wait(set, event, 2, 0);
    assert(count == 0 || count == 1);
    return count ? event[0].events : 0;
}

static void pipes(void)
{
    int ends[2];
    char bytes[8];
    assert(pipe(ends) == 0);
    watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET);
    assert(told() == 0);
    assert(write(ends[1], "abc", 3) == 3);
    assert(told() == EPOLLIN && told() == 0);
    assert(read(ends[0], bytes, 1) == 1 && told() == 0);
    assert(write(ends[1], "d", 1) == 1);
    assert(told() == EPOLLIN && told() == 0);
    watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET);
    assert(told() == EPOLLIN && told() == 0);
    assert(write(ends[1], "e", 1) == 1);
    assert(read(ends[0], bytes, 8) == 4 && told() == 0);
    watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET | EPOLLONESHOT);
    assert(write(ends[1], "f", 1) == 1 && told() == EPOLLIN);
    assert(write(ends[1], "g", 1) == 1 && told() == 0);
    watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET);
    assert(told() == EPOLLIN && told() == 0);
    close(ends[1]);
    assert(told() == (EPOLLIN | EPOLLHUP) && told() == 0);
    watch(EPOLL_CTL_DEL, ends[0], 0);
    close(ends[0]);
}

static void events(void)
{
    int fd = eventfd(0, 0);
    uint64_t one = 1;
    watch(EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLOUT | EPOLLET);
    assert(told() == EPOLLOUT && told() == 0);
    assert(write(fd, &one, sizeof one) == sizeof one);
    assert(told() == (EPOLLIN | EPOLLOUT) && told() == 0);
    assert(read(fd, &one, sizeof one) == sizeof one);
    assert(told() == EPOLLOUT && told() == 0);
    close(fd);
}

static void sockets(void)
{
    int pair[2];
    char bytes[8];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    watch(EPOLL_CTL_ADD, pair[0], EPOLLIN | EPOLLET);
    assert(told() == 0);
    assert(write(pair[1], "ab", 2) == 2 && told() == EPOLLIN && told() == 0);
    assert(write(pair[1], "c", 1) == 1 && told() == EPOLLIN && told() == 0);
    assert(write(pair[0], "x", 1) == 1 && told() == 0);
    assert(read(pair[0], bytes, 8) == 3 && told() == 0);
    watch(EPOLL_CTL_MOD, pair[0], EPOLLIN | EPOLLOUT | EPOLLET);
    assert(told() == EPOLLOUT && told() == 0);
    assert(read(pair[1], bytes, 8) == 1 && told() == EPOLLOUT && told() == 0);
    close(pair[1]);
    assert((told() & (EPOLLIN | EPOLLHUP)) == (EPOLLIN | EPOLLHUP) && told() == 0);
    close(pair[0]);
}

static void *producer(void *arg)
{
    const int *ends = arg;
    assert(write(ends[1], "abcd", 4) == 4);
    assert(write(ends[1], "efgh", 4) == 4);
    return NULL;
}

/* A loop as they are written: all that there is, each time. */
static void loop(void)
{
    int ends[2], got = 0;
    char bytes[3];
    pthread_t thread;
    struct epoll_event event;
    assert(pipe(ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET);
    pthread_create(&thread, NULL, producer, ends);
    while (got < 8) {
        assert(epoll_wait(set, &event, 1, -1) == 1);
#ifdef BUG
        got += (int)read(ends[0], bytes, sizeof bytes);
#else
        for (ssize_t n; (n = read(ends[0], bytes, sizeof bytes)) > 0;)
            got += (int)n;
#endif
    }
    pthread_join(thread, NULL);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    set = epoll_create1(0);
    pipes();
    events();
    sockets();
    loop();
    close(set);
    return 0;
}
