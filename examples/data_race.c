// A result is handed over by a flag, but the flag is an ordinary variable: the
// compiler and the processor may do anything with it.  Result: data race.
// -DFIXED makes the flag atomic: correct.
// Expect: data race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int result;
#ifdef FIXED
static atomic_int ready;
#else
static int ready;
#endif

static void *work(void *arg)
{
    result = 42;
    ready = 1;
    return arg;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    if (ready)
        assert(result == 42);
    pthread_join(worker, NULL);
    return 0;
}
