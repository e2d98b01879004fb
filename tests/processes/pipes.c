// A child writes to a pipe and its parent reads, until the child's end closes it.
//
// Result: correct.  -DBUG forgets to close the parent's own end: deadlock.
// Expect-BUG: deadlock
#include <assert.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int fd[2];
    char text[16] = "";
    size_t length = 0;
    ssize_t got;
    assert(pipe(fd) == 0);
    if (fork() == 0) {
        close(fd[0]);
        write(fd[1], "one", 3);
        write(fd[1], "two", 3);
        _exit(0);
    }
#ifndef BUG
    close(fd[1]);
#endif
    while ((got = read(fd[0], text + length, sizeof text - length)) > 0)
        length += (size_t)got;
    assert(got == 0 && length == 6 && !memcmp(text, "onetwo", 6));
    close(fd[0]);
    assert(wait(NULL) > 0);
    return 0;
}
