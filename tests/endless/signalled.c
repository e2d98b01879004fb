// Goes on until a handler has been called.  Result: correct.
// -DMASKED does not let the signal in: endless run.
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static volatile sig_atomic_t told;

static void tell(int signal)
{
    (void)signal;
    told = 1;
}

int main(void)
{
    signal(SIGUSR1, tell);
#ifdef MASKED
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
#endif
    kill(getpid(), SIGUSR1);
    while (!told)
        ;
}
