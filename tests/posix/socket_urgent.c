// Urgent data would come as any other.  Result: refused.
// -DRECEIVE asks for some: refused.
// -DHEADER sends some with a header: refused.
// -DERRORS asks for errors of datagrams: refused.
// Expect: sockets have no urgent data \(MSG_OOB\)
// Expect-RECEIVE: sockets have no urgent data \(MSG_OOB\)
// Expect-HEADER: sockets have no urgent data \(MSG_OOB\)
// Expect-ERRORS: sockets have no queue of errors \(MSG_ERRQUEUE\)
#define _GNU_SOURCE
#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int s[2];
    char byte = 1;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
    assert(send(s[0], &byte, 1, MSG_NOSIGNAL | MSG_MORE | MSG_DONTROUTE) == 1);
#if defined RECEIVE
    recv(s[1], &byte, 1, MSG_OOB);
#elif defined HEADER
    struct iovec part = {&byte, 1};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    sendmsg(s[0], &header, MSG_OOB);
#elif defined ERRORS
    recv(s[1], &byte, 1, MSG_ERRQUEUE | MSG_DONTWAIT);
#else
    send(s[0], &byte, 1, MSG_OOB);
#endif
    close(s[0]);
    close(s[1]);
}
