// Plain variables that only the order of x86 protects are a data race, whatever the processor
// does: see docs/LIMITS.md.  Result: data race.
// -DATOMIC: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
#ifdef ATOMIC
static atomic_int ready;
#else
static volatile int ready;
#endif

static void *produce(void *arg)
{
    data = 1;
    ready = 1; /* x86 keeps the order of stores */
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    while (!ready) {
    }
    assert(data == 1);
    pthread_join(thread, NULL);
    return 0;
}
