// Asks whether its child has ended, again and again.  Result: correct.
// -DRUNS: the child runs for ever: endless run.
// -DKILLED: and is killed: correct.
// -DORPHAN: it runs for ever, though nobody waits for it: endless run.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork();
    if (child == 0) {
#if defined RUNS || defined KILLED || defined ORPHAN
        for (volatile int i = 0;; i = !i)
            ;
#endif
        _exit(0);
    }
#ifdef KILLED
    kill(child, SIGKILL);
#endif
#ifndef ORPHAN
    while (waitpid(child, NULL, WNOHANG) == 0)
        ;
#endif
}
