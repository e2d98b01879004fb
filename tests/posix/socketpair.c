// Two ends of a pair of sockets, in two threads.
//
// Result: correct.  -DBUG does not close the other end: deadlock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int fd[2];

static void *work(void *arg)
{
    char c;
    (void)arg;
    while (recv(fd[1], &c, 1, 0) == 1) {
        c++;
        assert(send(fd[1], &c, 1, 0) == 1);
    }
    close(fd[1]);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char c = 'a';
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0);
    pthread_create(&thread, NULL, work, NULL);
    for (int k = 0; k < 2; k++) {
        assert(write(fd[0], &c, 1) == 1);
        assert(recv(fd[0], &c, 1, MSG_WAITALL) == 1);
    }
    assert(c == 'c');
#ifndef BUG
    assert(shutdown(fd[0], SHUT_WR) == 0);
#endif
    pthread_join(thread, NULL);
    assert(recv(fd[0], &c, 1, 0) == 0);
    assert(send(fd[0], &c, 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    close(fd[0]);
    return 0;
}
