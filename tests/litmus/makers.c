// Two threads make threads: which of the new ones comes first, and gets which number,
// must not hide any outcome.  Result: correct.
// Outcomes r1 r2, what t1 reads of t4's message, and whether t2 came before it:
// 00 01 10 11.
// -DBUG=1..4 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;
static int r1, r2;

THREAD(nothing)
{
    (void)atomic_load(&y);
    return arg;
}

THREAD(t1)
{
    pthread_t thread;
    r1 = atomic_load(&y);
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    return arg;
}

THREAD(t2)
{
    r2 = atomic_load(&x);
    return arg;
}

THREAD(t4)
{
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return arg;
}

int main(void)
{
    static const int allowed[] = {0, 1, 10, 11};
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, t1, NULL);
    (void)atomic_load(&y);
    pthread_create(&thread[1], NULL, t2, NULL);
    pthread_create(&thread[2], NULL, t4, NULL);
    for (int k = 0; k < 3; k++)
        pthread_join(thread[k], NULL);
    outcome(10 * r1 + r2, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
