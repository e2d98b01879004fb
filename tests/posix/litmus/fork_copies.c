// A child's stores are not seen by its parent, nor the parent's by the child; what they
// tell by a pipe is.  Result: correct.
// Outcomes parent's x, child's x: 12.
// -DNEVER=1 claims that it does not occur: assertion violation.
#include "litmus.h"
#include <sys/wait.h>

static int x;

int main(void)
{
    int p[2], other = 0;
    pipe(p);
    if (fork() == 0) {
        x += 2;
        write(p[1], &x, sizeof x);
        _exit(0);
    }
    x++;
    read(p[0], &other, sizeof other);
    wait(NULL);
    OUTCOME(10 * x + other, 12);
    return 0;
}
