// The end is far: a thread has to go all the way around before main, which waits for a certain
// round, can see it.  Result: correct.
// -DSTOPS stops at a number that main does not wait for: endless run.
// -DSKIPS main's number: endless run.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint place, ended;

static void *turn(void *arg)
{
    (void)arg;
#ifdef STOPS
    for (unsigned i = 0; i < 40; i++)
#else
    while (!ended)
#endif
#ifdef SKIPS
        place = (place + 2) % 40;
#else
        place = (place + 1) % 40;
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, turn, NULL);
    while (place != 37)
        ;
    ended = 1;
    pthread_join(thread, NULL);
}
