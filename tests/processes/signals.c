// Signals between processes: a handler, an end by a signal, a group, SIGCHLD.
//
// Result: correct.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended, taken;

static void on_child(int signal)
{
    assert(signal == SIGCHLD);
    ended = 1;
}

static void on_usr1(int signal)
{
    assert(signal == SIGUSR1);
    taken = 1;
}

int main(void)
{
    int status;
    assert(signal(SIGCHLD, on_child) != SIG_ERR);
    assert(signal(SIGUSR1, on_usr1) != SIG_ERR);
    pid_t child = fork();
    if (child == 0) {
        while (!taken)
            pause();
        for (;;)
            pause();
    }
    assert(setpgid(child, 0) == 0 && getpgid(child) == child && getpgrp() == getpid());
    assert(waitpid(child, &status, WNOHANG) == 0);
    assert(kill(child, 0) == 0);
#ifndef BUG
    assert(kill(child, SIGUSR1) == 0);
    assert(kill(-child, SIGTERM) == 0);
#endif
    pid_t got;
    while ((got = waitpid(child, &status, 0)) == -1)
        assert(errno == EINTR);
    assert(got == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert(!taken && ended);
    assert(kill(child, 0) == -1 && errno == ESRCH);
    return 0;
}
