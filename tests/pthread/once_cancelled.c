// The function is cancelled: it is as if pthread_once had never been called, and the next who
// calls it, or waits in it already, begins again.  Result: correct.
// -DTEST at pthread_testcancel: correct.  -DASYNC anywhere: correct.
// -DWAIT while another thread waits for it: correct.
// -DBUG claims that it never begins again: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t never;
static pthread_t first;
static atomic_int begun, done;

static void init(void)
{
    begun++;
    if (pthread_equal(pthread_self(), first)) {
#if defined TEST || defined ASYNC
        pthread_testcancel();
#else
        sem_wait(&never);
#endif
    }
    done++;
}

static void *work(void *arg)
{
#ifdef ASYNC
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
#endif
    first = pthread_self();
    pthread_once(&once, init);
    return arg;
}

#ifdef WAIT
static void *other(void *arg)
{
    pthread_once(&once, init);
    assert(done == 1);
    return arg;
}
#endif

int main(void)
{
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, work, NULL);
#ifdef WAIT
    pthread_t u;
    while (!begun)
        ;
    pthread_create(&u, NULL, other, NULL);
#endif
    pthread_cancel(t);
    pthread_join(t, NULL);
    pthread_once(&once, init);
#ifdef ASYNC /* also when it had returned, but pthread_once had not */
    assert(done >= 1 && done <= begun && begun <= 2);
#else
    assert(done == 1 && begun >= 1 && begun <= 2);
#endif
#ifdef WAIT
    pthread_join(u, NULL);
#endif
#ifdef BUG
    assert(begun == 1);
#endif
    return 0;
}
