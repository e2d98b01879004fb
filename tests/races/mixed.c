// One thread reads atomically what the other writes plainly.  Result: data race.
// -DRMW a plain read against an atomic addition: data race.
// -DREADS a plain read against an atomic one: correct.
// -DINIT a plain initialisation before the thread exists: correct.
#include <pthread.h>
#include <stdatomic.h>

static int x;
#define ATOMIC ((_Atomic int *)&x)

static void *plain(void *arg)
{
#if defined RMW || defined READS
    int seen = x;
    (void)seen;
#elif !defined INIT
    x = 1;
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    x = 2;
    pthread_create(&t, NULL, plain, NULL);
#ifdef RMW
    atomic_fetch_add(ATOMIC, 1);
#else
    (void)atomic_load(ATOMIC);
#endif
    pthread_join(t, NULL);
    return 0;
}
