// The rest of C11's threads.  Result: correct.
// -DPLAIN locks a mutex with a limit that was not made for it: pthread misuse.
#include <assert.h>
#include <threads.h>
#include <time.h>

#ifdef PLAIN
enum { TYPE = mtx_plain };
#else
enum { TYPE = mtx_timed };
#endif
static mtx_t lock;
static cnd_t ready;
static int go, count;

static int work(void *arg)
{
    (void)arg;
    mtx_lock(&lock);
    while (!go)
        cnd_wait(&ready, &lock);
    count++;
    mtx_unlock(&lock);
    thrd_yield();
    thrd_exit(7);
}

int main(void)
{
    thrd_t t;
    int result;
    struct timespec soon = {1, 0}, never = {0, -1};
    assert(mtx_init(&lock, TYPE) == thrd_success && cnd_init(&ready) == thrd_success);
    assert(thrd_create(&t, work, NULL) == thrd_success);
    assert(mtx_lock(&lock) == thrd_success);
    go = 1;
    assert(cnd_broadcast(&ready) == thrd_success);
    assert(mtx_unlock(&lock) == thrd_success);
    assert(thrd_join(t, &result) == thrd_success && result == 7 && count == 1);
    assert(mtx_timedlock(&lock, &soon) == thrd_success);
    assert(mtx_timedlock(&lock, &soon) == thrd_timedout);
    assert(thrd_sleep(&soon, NULL) == 0 && thrd_sleep(&never, NULL) < -1);
    assert(thrd_create(&t, work, NULL) == thrd_success && thrd_detach(t) == thrd_success);
    mtx_unlock(&lock);
    thrd_exit(0);
}
