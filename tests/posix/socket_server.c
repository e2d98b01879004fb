// A server and two clients on the machine's own address; or by a path.
//
// Result: correct.  -DPATH: correct.  -DBUG connects before the server listens: assertion
// violation.  -DFORGET accepts one of two: deadlock.
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef PATH
static const struct sockaddr_un address = {AF_UNIX, "/tmp/socket"};
#else
static struct sockaddr_in address;
#endif

static void *client(void *arg)
{
    char c = *(const char *)arg;
    int fd = socket(((const struct sockaddr *)&address)->sa_family, SOCK_STREAM, 0);
    assert(connect(fd, (const struct sockaddr *)&address, sizeof address) == 0);
    assert(send(fd, &c, 1, 0) == 1);
    assert(read(fd, &c, 1) == 1);
    assert(c == *(const char *)arg + 1);
    close(fd);
    return NULL;
}

static void serve(int listening)
{
    char c;
    int fd = accept(listening, NULL, NULL);
    assert(fd >= 0);
    assert(recv(fd, &c, 1, 0) == 1);
    c++;
    assert(write(fd, &c, 1) == 1);
    close(fd);
}

int main(void)
{
    pthread_t one, two;
    int listening;
#ifdef PATH
    listening = socket(AF_UNIX, SOCK_STREAM, 0);
#else
    address.sin_family = AF_INET;
    address.sin_port = htons(8080);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listening = socket(AF_INET, SOCK_STREAM, 0);
#endif
#ifdef BUG
    pthread_create(&one, NULL, client, "a");
#endif
    assert(bind(listening, (const struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(listening, 2) == 0);
#ifndef BUG
    pthread_create(&one, NULL, client, "a");
#endif
    pthread_create(&two, NULL, client, "c");
    serve(listening);
#ifndef FORGET
    serve(listening);
#endif
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    close(listening);
    return 0;
}
