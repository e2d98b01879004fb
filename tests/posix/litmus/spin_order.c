// A spin lock is had in any order.  Result: correct.
// Outcomes order: 12 21.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_spinlock_t s;

THREAD(t0)
{
    pthread_spin_lock(&s);
    see(1);
    pthread_spin_unlock(&s);
    return arg;
}

THREAD(t1)
{
    pthread_spin_lock(&s);
    see(2);
    pthread_spin_unlock(&s);
    return arg;
}

int main(void)
{
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    run(2, t0, t1);
    OUTCOME(seen, 12, 21);
    return 0;
}
