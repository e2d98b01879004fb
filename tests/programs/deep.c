// Two threads wait for each other's steps, so many that levels of the search are numbered anew.
// Result: assertion violation.
// Options: --search=bfs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { STEPS = 500 };

static atomic_int ours, theirs;

static void *work(void *unused)
{
    for (int i = 0; i < STEPS; i++) {
        while (ours < i)
            continue;
        theirs = i + 1;
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (int i = 0; i < STEPS; i++) {
        while (theirs < i)
            continue;
        ours = i + 1;
    }
    pthread_join(thread, NULL);
    assert(ours + theirs < 2 * STEPS);
    return 0;
}
