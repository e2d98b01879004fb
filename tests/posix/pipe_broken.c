// Writing to a pipe that nobody reads: SIGPIPE, or EPIPE where that is ignored.
// Result: exit status.  -DIGNORE ignores it: correct.
// Expect: SIGPIPE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    int p[2];
#ifdef IGNORE
    signal(SIGPIPE, SIG_IGN);
#endif
    pipe(p);
    close(p[0]);
    assert(write(p[1], "x", 1) == -1 && errno == EPIPE);
    return 0;
}
