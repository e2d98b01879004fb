// Two threads send datagrams to one socket: each is received as a whole, in some order.
// Result: correct.
// Outcomes first second: 12 21.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"
#include <sys/socket.h>

static int s[2];

THREAD(t0)
{
    send(s[0], "1", 1, 0);
    return arg;
}

THREAD(t1)
{
    send(s[0], "2", 1, 0);
    return arg;
}

int main(void)
{
    char c[2];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
    run(2, t0, t1);
    recv(s[1], &c[0], 1, 0);
    recv(s[1], &c[1], 1, 0);
    OUTCOME(10 * (c[0] - '0') + c[1] - '0', 12, 21);
    return 0;
}
