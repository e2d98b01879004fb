// Threads that come and go leave another one alone for a while: whether it takes turns
// then must not matter.  Result: correct.
// Outcomes r1 r2: 00 01 10 11.
// -DBUG=1..4 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r1, r2;

THREAD(t1)
{
    r1 = atomic_load(&x);
    return arg;
}

THREAD(t2)
{
    r2 = atomic_load(&x);
    return arg;
}

THREAD(t3)
{
    return arg;
}

int main(void)
{
    static const int allowed[] = {0, 1, 10, 11};
    static void *(*const rest[])(void *) = {t2, t3};
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, t1, NULL);
    (void)atomic_load(&x);
    (void)atomic_load(&x);
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k + 1], NULL, rest[k], NULL);
    atomic_store(&x, 1);
    for (int k = 0; k < 3; k++)
        pthread_join(thread[k], NULL);
    outcome(10 * r1 + r2, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
