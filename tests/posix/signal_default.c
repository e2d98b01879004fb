// Without a handler a signal ends the process.  Result: exit status.
// -DBUG=1 aborts: assertion violation.  -DBUG=2 ignores it: correct.
// Expect: SIGTERM
#include <signal.h>

int main(void)
{
#if BUG == 2
    signal(SIGTERM, SIG_IGN);
#endif
#if BUG == 1
    raise(SIGABRT);
#endif
    raise(SIGTERM);
    return 0;
}
