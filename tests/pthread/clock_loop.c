// A wait in a loop that goes by the clock, which stands still: it never ends, but comes back to
// where it was.  Result: correct.  -DALONE when the other thread has ended: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int n;

static void *other(void *arg)
{
    n++;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    struct timespec end, now;
    pthread_create(&t, NULL, other, NULL);
#ifdef ALONE
    pthread_join(t, NULL);
#endif
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    pthread_mutex_lock(&mutex);
    do {
        pthread_cond_timedwait(&cond, &mutex, &end);
        clock_gettime(CLOCK_REALTIME, &now);
    } while (now.tv_sec < end.tv_sec);
    assert(!"reached");
    return 0;
}
