// A ticket lock, taken again and again: who draws a ticket is served.
// Result: correct.  -DBARGES: a lock without tickets, which others may always get first:
// formula violated.
// Options: --fair --endless=allow --ltl='G(waits -> F inside)'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, serving, waits, inside;

static void take(void)
{
#ifdef BARGES
    while (atomic_exchange(&serving, 1))
        ;
#else
    int ticket = atomic_fetch_xor(&next, 1);
    while (serving != ticket)
        ;
#endif
}

static void give(void)
{
#ifdef BARGES
    serving = 0;
#else
    atomic_fetch_xor(&serving, 1);
#endif
}

static void *other(void *arg)
{
    for (;;) {
        take();
        give();
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (;;) {
        waits = 1;
        take();
        inside = 1;
        waits = 0;
        inside = 0;
        give();
    }
}
