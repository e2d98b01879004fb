// A daemon leaves its session; vfork and _Fork are fork.
//
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t own = getpid(), child;
    if ((child = vfork()) == 0) {
        assert(setsid() == getpid() && getsid(0) == getpid());
        assert(daemon(0, 0) == 0);
        assert(getpgrp() != own && getsid(0) != own && setpgrp() >= -1);
        _exit(0);
    }
    if (_Fork() == 0)
        _exit(0);
    while (wait(NULL) > 0)
        ;
    assert(wait4(child, NULL, WNOHANG, NULL) == -1);
    return 0;
}
