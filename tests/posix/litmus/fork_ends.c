// Two children end; wait gives them in either order.  Result: correct.
// Outcomes first second: 12 21.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"
#include <sys/wait.h>

int main(void)
{
    int status[2];
    for (int k = 1; k <= 2; k++)
        if (fork() == 0)
            _exit(k);
    wait(&status[0]);
    wait(&status[1]);
    OUTCOME(10 * WEXITSTATUS(status[0]) + WEXITSTATUS(status[1]), 12, 21);
    return 0;
}
