// An assertion that fails in a child is an error of the program, and so is abort; an
// exit status is its parent's business.
//
// Result: correct.  -DASSERT: assertion violation.  -DABORT: assertion violation.  -DMAIN: exit
// status.
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status;
    if (fork() == 0) {
#ifdef ASSERT
        assert(getppid() == 0);
#endif
#ifdef ABORT
        abort();
#endif
        exit(3);
    }
    wait(&status);
#ifdef MAIN
    return WEXITSTATUS(status);
#endif
    return 0;
}
