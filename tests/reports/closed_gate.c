// A visitor who finds the gate closed leaves without giving the flag back.  Result: endless
// run. Learned: the visitor took busy, saw closed, and ended; main spins in line 25 for what
// nobody gives back.
#include <pthread.h>
#include <stdatomic.h>

atomic_flag busy;
atomic_bool closed;

void *visit(void *arg)
{
    while (atomic_flag_test_and_set(&busy))
        ;
    if (atomic_load(&closed))
        return arg;
    atomic_flag_clear(&busy);
    return arg;
}

int main(void)
{
    pthread_t visitor;
    pthread_create(&visitor, 0, visit, 0);
    atomic_store(&closed, 1);
    while (atomic_flag_test_and_set(&busy))
        ;
    atomic_flag_clear(&busy);
    pthread_join(visitor, 0);
    return 0;
}
