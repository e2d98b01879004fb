// A child reads a pipe to its end, which never comes: the child has the other end open itself.
// Result: deadlock.
// Learned: the child has read two characters and waits in read, and its parent for it.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    if (pipe(ends))
        return 1;
    pid_t child = fork();
    if (child == 0) {
        char c;
        size_t count = 0;
        while (read(ends[0], &c, 1) == 1)
            count++;
        _exit(count == 2 ? 0 : 1);
    }
    if (write(ends[1], "ok", 2) != 2)
        return 1;
    close(ends[1]);
    int status;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
