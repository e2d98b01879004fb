// pause may begin after the signal that it was to wait for: deadlock.  Result: deadlock.
// -DSUSPEND blocks the signal and waits by sigsuspend: correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void handle(int signal)
{
    (void)signal;
    handled = 1;
}

static void *work(void *arg)
{
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
    return NULL;
}

int main(void)
{
    pthread_t t, self = pthread_self();
    sigset_t set, old;
    signal(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
#ifdef SUSPEND
    pthread_sigmask(SIG_BLOCK, &set, &old);
#endif
    pthread_create(&t, NULL, work, &self);
#ifdef SUSPEND
    while (!handled)
        assert(sigsuspend(&old) == -1 && errno == EINTR);
#else
    if (!handled)
        assert(pause() == -1 && errno == EINTR);
#endif
    assert(handled);
    pthread_join(t, NULL);
    (void)old;
    return 0;
}
