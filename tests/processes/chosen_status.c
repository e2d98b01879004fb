// A child that may end in several ways leads to as many states: its parent sees each
// status.
//
// Result: correct.  -DSTATUS: assertion violation.  -DKILLED: assertion violation.
#include <assert.h>
#include <divm.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status = 0;
    if (fork() == 0) {
        if (divm_choose(2))
            raise(SIGKILL);
        _exit(divm_choose(2));
    }
    wait(&status);
    assert(WIFSIGNALED(status) || WEXITSTATUS(status) <= 1);
#ifdef STATUS
    assert(WEXITSTATUS(status) == 0);
#endif
#ifdef KILLED
    assert(!WIFSIGNALED(status));
#endif
    return 0;
}
