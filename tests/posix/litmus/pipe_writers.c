// What two threads write into a pipe stays together.  Result: correct.
// Outcomes bytes: 1122 2211.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static int p[2];

THREAD(t0)
{
    write(p[1], "11", 2);
    return arg;
}

THREAD(t1)
{
    write(p[1], "22", 2);
    return arg;
}

int main(void)
{
    pipe(p);
    run(2, t0, t1);
    char text[4];
    read(p[0], text, 4);
    for (int k = 0; k < 4; k++)
        see(text[k] - '0');
    OUTCOME(seen, 1122, 2211);
    return 0;
}
