// A thread that waits for signals gets what is sent to the process; all block it.
// Result: correct.  -DBUG sends nothing: deadlock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;

static void *work(void *arg)
{
    int signal = 0;
    assert(sigwait(&set, &signal) == 0 && signal == SIGUSR1);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec none = {0, 0};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    assert(sigtimedwait(&set, NULL, &none) == -1 && errno == EAGAIN);
    pthread_create(&t, NULL, work, NULL);
#ifndef BUG
    kill(getpid(), SIGUSR1);
#endif
    pthread_join(t, NULL);
    return 0;
}
