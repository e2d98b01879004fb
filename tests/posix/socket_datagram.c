// Datagrams: each is received as a whole, with the address of its sender.
//
// Result: correct.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int server;

static void *work(void *arg)
{
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    char text[8];
    (void)arg;
    assert(recvfrom(server, text, sizeof text, MSG_PEEK, NULL, NULL) == 5);
    assert(recvfrom(server, text, 2, MSG_TRUNC, (struct sockaddr *)&from, &size) == 5);
    assert(size == sizeof from && from.sin_family == AF_INET && !memcmp(text, "he", 2));
    assert(sendto(server, "you", 3, 0, (struct sockaddr *)&from, size) == 3);
    return NULL;
}

static void local(void)
{
    int fd[2];
    char text[8];
    struct iovec parts[2] = {{text, 2}, {text + 2, 6}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, fd) == 0);
    assert(send(fd[0], "one", 3, 0) == 3 && send(fd[0], "four", 4, 0) == 4);
    assert(recvmsg(fd[1], &message, 0) == 3 && !memcmp(text, "one", 3));
    message.msg_iovlen = 1;
    assert(recvmsg(fd[1], &message, 0) == 2 && message.msg_flags == MSG_TRUNC);
    assert(recv(fd[1], text, 8, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    message.msg_iovlen = 2;
    assert(sendmsg(fd[1], &message, 0) == 8 && recv(fd[0], text, 8, 0) == 8);
    close(fd[1]);
    assert(send(fd[0], "a", 1, 0) == -1 && errno == ECONNREFUSED);
    close(fd[0]);
}

int main(void)
{
    pthread_t thread;
    struct sockaddr_in address = {.sin_family = AF_INET}, own;
    socklen_t size = sizeof address;
    char text[8];
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server = socket(AF_INET, SOCK_DGRAM, 0);
    assert(bind(server, (struct sockaddr *)&address, sizeof address) == 0);
    assert(getsockname(server, (struct sockaddr *)&address, &size) == 0 && address.sin_port);
    pthread_create(&thread, NULL, work, NULL);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    assert(send(fd, "a", 1, 0) == -1 && errno == EDESTADDRREQ);
    assert(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    assert(getpeername(fd, (struct sockaddr *)&own, &size) == 0);
    assert(own.sin_port == address.sin_port);
    assert(send(fd, "hello", 5, 0) == 5);
    assert(recv(fd, text, sizeof text, 0) == 3);
    pthread_join(thread, NULL);
    close(fd);
    close(server);
    local();
    return 0;
}
