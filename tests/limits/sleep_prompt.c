// With --clock=prompt a sleep ends only when no other thread can go on: see docs/LIMITS.md.
// Result: correct.
// Options: --clock=prompt
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;

static void *work(void *arg)
{
    atomic_store(&ready, 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    sleep(60);
    assert(atomic_load(&ready));
    pthread_join(thread, NULL);
    return 0;
}
