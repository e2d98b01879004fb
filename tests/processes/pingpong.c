// Two processes take turns by two pipes.
//
// Result: correct.  -DBUG waits for the child before it answers: deadlock.
// Expect-BUG: deadlock
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int to[2], from[2];
    char c = 'a';
    assert(pipe(to) == 0 && pipe(from) == 0);
    pid_t child = fork();
    if (child == 0) {
        for (int k = 0; k < 2; k++) {
            assert(read(to[0], &c, 1) == 1);
            c++;
            assert(write(from[1], &c, 1) == 1);
        }
        _exit(c);
    }
    int status;
#ifdef BUG
    assert(waitpid(child, &status, 0) == child);
#endif
    for (int k = 0; k < 2; k++) {
        assert(write(to[1], &c, 1) == 1);
        assert(read(from[0], &c, 1) == 1);
    }
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 'c' && c == 'c');
    return 0;
}
