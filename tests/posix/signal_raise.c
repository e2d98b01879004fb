// A signal that a thread sends to itself is taken before the call returns, unless it is
// blocked.  Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t taken, inside;

static void handle(int signal)
{
    taken += signal;
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    inside = sigismember(&now, signal);
}

static void inform(int signal, siginfo_t *info, void *context)
{
    (void)context;
    taken += info->si_signo == signal;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle}, old;
    sigset_t set, pending;
    assert(sigaction(SIGKILL, &action, NULL) == -1 && errno == EINVAL);
    assert(sigaction(SIGUSR1, &action, &old) == 0 && old.sa_handler == SIG_DFL);
    assert(raise(SIGUSR1) == 0 && taken == SIGUSR1 && inside);
    assert(kill(getpid(), SIGUSR1) == 0 && taken == 2 * SIGUSR1);
    assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && taken == 3 * SIGUSR1);
    assert(kill(getpid(), 0) == 0 && kill(getpid(), 99) == -1 && errno == EINVAL);
    assert(kill(4711, SIGUSR1) == -1 && errno == ESRCH);

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    raise(SIGUSR1);
    raise(SIGUSR1);
    assert(taken == 3 * SIGUSR1);
    assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
    assert(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
    assert(taken == 4 * SIGUSR1);

    action.sa_sigaction = inform;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    sigaction(SIGUSR2, &action, NULL);
    taken = 0;
    raise(SIGUSR2);
    assert(taken == 1);
    sigaction(SIGUSR2, NULL, &old);
    assert(old.sa_handler == SIG_DFL);
    assert(signal(SIGTERM, SIG_IGN) == SIG_DFL && raise(SIGTERM) == 0);
    assert(signal(SIGTERM, SIG_DFL) == SIG_IGN);
    return 0;
}
