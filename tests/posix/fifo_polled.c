// A reader of a pipe with a name that does not wait in open polls for a writer: it sleeps until
// there are bytes or the end, though nobody has opened the other side yet.
// Result: correct.  -DSELECT, -DEPOLL: correct.
// -DBUG claims that bytes come first: assertion violation.
// -DNOBODY writes: deadlock.
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "/tmp/divm-fifo";

static void *work(void *arg)
{
    int fd = open(path, O_WRONLY);
#ifdef BUG
    close(fd);
    fd = open(path, O_WRONLY);
#endif
    assert(fd >= 0 && write(fd, "x", 1) == 1);
    close(fd);
    return arg;
}

static void await(int fd)
{
#ifdef SELECT
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    assert(select(fd + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(fd, &set));
#elif defined EPOLL
    struct epoll_event event = {.events = EPOLLIN};
    int set = epoll_create1(0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0);
    assert(epoll_wait(set, &event, 1, -1) == 1);
    close(set);
#else
    struct pollfd p = {.fd = fd, .events = POLLIN};
    assert(poll(&p, 1, -1) == 1 && p.revents);
#endif
}

int main(void)
{
    pthread_t t;
    char byte;
    assert(mkfifo(path, 0600) == 0);
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    assert(fd >= 0 && read(fd, &byte, 1) == 0);
#ifdef NOBODY
    (void)t, (void)work;
    await(fd);
#else
    pthread_create(&t, NULL, work, NULL);
    await(fd);
    assert(read(fd, &byte, 1) == 1 && byte == 'x');
    await(fd);
    assert(read(fd, &byte, 1) == 0);
    pthread_join(t, NULL);
#endif
    close(fd);
    unlink(path);
    return 0;
}
