// The counter of cycles moves when a thread reads it, and for that thread only: reading it is
// nothing that others notice, and a loop that waits for it ends.  How much time has passed
// between two readings --clock=choice tries both ways.
//
// Result: correct.  -DTIMEOUT: assertion violation.
// Options: --clock=choice
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <x86intrin.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int shared;

/* As spin locks wait in earnest: for a while, then longer. */
static void acquire(void)
{
    for (int turn = 0; atomic_flag_test_and_set(&flag); turn = 1) {
        unsigned long long end = __rdtsc() + (turn ? 2000 : 1000);
        while (__rdtsc() < end)
            _mm_pause();
        pthread_testcancel();
        if (turn)
            pthread_exit(NULL);
    }
}

static void *work(void *arg)
{
    acquire();
    shared++;
    atomic_flag_clear(&flag);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
#ifdef TIMEOUT
    unsigned long long start = __rdtsc();
    assert(__rdtsc() - start < 3000000000);
#endif
    return 0;
}
