// There is no network: other hosts are unreachable, and nobody listens on this one but the
// program itself.  See docs/LIMITS.md.  Result: correct.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static int error_at(const char *host)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
    int end = socket(AF_INET, SOCK_STREAM, 0);
    assert(end >= 0 && inet_pton(AF_INET, host, &address.sin_addr) == 1);
    int error = connect(end, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
    close(end);
    return error;
}

int main(void)
{
    assert(error_at("192.0.2.1") == ENETUNREACH);
    assert(error_at("127.0.0.1") == ECONNREFUSED);
    return 0;
}
