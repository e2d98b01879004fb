// Which child is waited for, and what is told of it.
//
// Result: correct.  -DANY expects the first of two to end first: assertion violation.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child_with(int status)
{
    pid_t child = fork();
    if (child == 0)
        _exit(status);
    return child;
}

int main(void)
{
    int status;
    siginfo_t info;
    struct rusage usage;
    pid_t a = child_with(1), b = child_with(2);
#ifdef ANY
    assert(wait(&status) == a);
#endif
    assert(a != b && a != getpid());
    assert(waitpid(b, &status, 0) == b && WEXITSTATUS(status) == 2);
    assert(waitid(P_PID, (id_t)a, &info, WEXITED | WNOWAIT) == 0);
    assert(info.si_pid == a && info.si_status == 1 && info.si_code == CLD_EXITED);
    assert(wait4(a, &status, 0, &usage) == a && WEXITSTATUS(status) == 1);
    assert(waitpid(a, &status, 0) == -1 && errno == ECHILD);
    pid_t c = child_with(3);
    assert(waitid(P_ALL, 0, &info, WEXITED) == 0 && info.si_pid == c && info.si_status == 3);
    pid_t d = child_with(0);
    while (wait3(&status, WNOHANG, &usage) == 0)
        usleep(1);
    assert(waitpid(d, &status, WNOHANG) == -1 && errno == ECHILD);
    signal(SIGCHLD, SIG_IGN);
    child_with(4);
    assert(wait(&status) == -1 && errno == ECHILD);
    return 0;
}
