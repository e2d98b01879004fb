// A race that only one interleaving reaches: the write is behind a flag that must be
// seen between two steps of the other thread.  Result: data race.
// -DNEVER the flag never has that value: correct.
// Expect: one_branch.c:@here
// Expect: data race
#include <pthread.h>
#include <stdatomic.h>

#ifdef NEVER
enum { WANTED = 3 };
#else
enum { WANTED = 2 };
#endif

static atomic_int step;
static int x;

static void *work(void *arg)
{
    x = 1;
    atomic_store(&step, 1);
    x = 2;
    atomic_store(&step, 2);
    atomic_store(&step, 1);
    x = 3; // @here
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (atomic_load(&step) == WANTED)
        x = 4;
    pthread_join(t, NULL);
    return 0;
}
