// A barrier that is spun at: the last thread turns its sense.  Result: correct.
// -DEARLY reads the sense after it has arrived, which may be the new one: endless run.
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int arrived, sense;

static void meet(void)
{
#ifdef EARLY
    int last = atomic_fetch_add(&arrived, 1) + 1 == THREADS, before = sense;
#else
    int before = sense, last = atomic_fetch_add(&arrived, 1) + 1 == THREADS;
#endif
    if (last) {
        arrived = 0;
        sense = !before;
        return;
    }
    while (sense == before)
        ;
}

static void *work(void *arg)
{
    meet();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    meet();
    pthread_join(thread, NULL);
}
