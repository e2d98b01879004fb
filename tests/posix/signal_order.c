// Two signals that are pending are taken in any order, but of real-time ones the lowest comes
// first.  Result: correct.
// -DHANDLED=SIGUSR1 claims that its handler is called first: assertion violation.
// -DHANDLED=SIGUSR2 claims it of the other one: assertion violation.
// -DWAITED=SIGUSR1 claims that sigwait takes it first: assertion violation.
// -DWAITED=SIGUSR2 claims it of the other one: assertion violation.
// -DSENT=SIGUSR1 claims that of signals to the process: assertion violation.
// -DSENT=SIGUSR2 claims it of the other one: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t first, count;

static void note(int signal)
{
    if (count++ == 0)
        first = signal;
}

static int next(const sigset_t *set)
{
    int signal = 0;
    assert(sigwait(set, &signal) == 0);
    return signal;
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGRTMIN);
    sigaddset(&set, SIGRTMIN + 1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
#ifdef SENT
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR2);
    assert(next(&set) == SENT);
#elif defined WAITED
    raise(SIGUSR1);
    raise(SIGUSR2);
    assert(next(&set) == WAITED);
#else
    raise(SIGRTMIN + 1);
    raise(SIGRTMIN);
    assert(next(&set) == SIGRTMIN);
    assert(next(&set) == SIGRTMIN + 1);

    signal(SIGUSR1, note);
    signal(SIGUSR2, note);
    raise(SIGUSR1);
    raise(SIGUSR2);
    assert(count == 0);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(count == 2);
#ifdef HANDLED
    assert(first == HANDLED);
#endif
#endif
    return 0;
}
