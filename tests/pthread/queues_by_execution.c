// Threads that wake others are in one execution for each order of what has to do with the same
// queue: nothing else is looked at, and nothing is lost.
//
// Result: correct.
// -DLOST signals before the other waits, who looks at nothing: deadlock.
// -DOVERTAKEN has a third thread take the mutex between the signal and the waking: assertion
// violation.
// -DENDS lets a thread end the process with the mutex, and another one signal meanwhile, so
// that who waits goes on only if the mutex is taken later: assertion violation. -DTIMED may
// have been signalled, or its time was over before: assertion violation. -DWHICH wakes either
// of two: assertion violation. -DPHASE=1..2 leave a barrier in either order: assertion
// violation.
// Options: --search=dpor
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER, both = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b;
static int ready, taken, waiting;
static atomic_int order;

static void *waits(void *number)
{
    pthread_mutex_lock(&m);
#ifdef TIMED
    struct timespec limit = {0, 0};
    int over = pthread_cond_timedwait(&c, &m, &limit);
    assert(!over || !ready);
#elif defined LOST
    pthread_cond_wait(&c, &m);
#elif defined WHICH
    if (++waiting == 2)
        pthread_cond_signal(&both);
    pthread_cond_wait(&c, &m);
    assert(!number);
    _Exit(0);
#else
    if (!ready)
        pthread_cond_wait(&c, &m);
#ifdef ENDS
    assert(number);
#else
    assert(!taken);
#endif
#endif
    pthread_mutex_unlock(&m);
    return number;
}

static void *wakes(void *unused)
{
    pthread_mutex_lock(&m);
    ready = 1;
#ifdef WHICH
    while (waiting < 2)
        pthread_cond_wait(&both, &m);
#endif
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
    return unused;
}

static void *takes(void *unused)
{
#ifdef OVERTAKEN
    pthread_mutex_lock(&m);
    taken = ready;
    pthread_mutex_unlock(&m);
#elif defined ENDS
    pthread_mutex_lock(&m);
    _Exit(0);
#elif defined WHICH
    waits(&m);
#endif
    return unused;
}

static void *meets(void *unused)
{
    pthread_barrier_wait(&b);
    int first = order++;
    (void)first;
#ifdef PHASE
    assert(first != PHASE - 1 || unused);
#endif
    return unused;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, NULL, waits, NULL);
    pthread_create(&two, NULL, takes, &m);
    pthread_create(&three, NULL, wakes, NULL);
    pthread_join(three, NULL);
    pthread_join(two, NULL);
    pthread_join(one, NULL);
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&one, NULL, meets, NULL);
    pthread_create(&two, NULL, meets, &m);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_barrier_destroy(&b);
    return 0;
}
