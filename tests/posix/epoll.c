// Waiting for several descriptors by a set of them.
//
// Result: correct.  -DBUG watches the wrong end: deadlock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ends[2], event;

static void *work(void *arg)
{
    (void)arg;
    write(ends[1], "a", 1);
    eventfd_write(event, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct epoll_event got[2], add = {.events = EPOLLIN};
    assert(pipe(ends) == 0);
    event = eventfd(0, 0);
    int set = epoll_create1(EPOLL_CLOEXEC), seen = 0;
    assert(epoll_create(0) == -1 && errno == EINVAL);
#ifdef BUG
    add.data.fd = ends[1];
#else
    add.data.fd = ends[0];
#endif
    assert(epoll_ctl(set, EPOLL_CTL_ADD, add.data.fd, &add) == 0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, add.data.fd, &add) == -1 && errno == EEXIST);
    assert(epoll_ctl(set, EPOLL_CTL_DEL, event, NULL) == -1 && errno == ENOENT);
#ifndef BUG
    add.data.fd = event;
    add.events = EPOLLIN | EPOLLONESHOT;
    assert(epoll_ctl(set, EPOLL_CTL_ADD, event, &add) == 0);
#endif
    assert(epoll_wait(set, got, 2, 0) == 0);
    pthread_create(&thread, NULL, work, NULL);
    while (seen < 2) {
        int n = epoll_wait(set, got, 2, -1);
        assert(n == 1 || n == 2);
        for (int k = 0; k < n; k++) {
            char c;
            assert(got[k].events == EPOLLIN);
            seen++;
            if (got[k].data.fd == ends[0])
                assert(read(ends[0], &c, 1) == 1);
        }
    }
    pthread_join(thread, NULL);
    assert(epoll_wait(set, got, 2, 0) == 0); /* once only */
    add.events = EPOLLIN;
    assert(epoll_ctl(set, EPOLL_CTL_MOD, event, &add) == 0);
    assert(epoll_pwait(set, got, 2, -1, NULL) == 1 && got[0].data.fd == event);
    close(event);
    assert(epoll_wait(set, got, 2, 0) == 0);
    close(ends[0]);
    close(ends[1]);
    close(set);
    return 0;
}
