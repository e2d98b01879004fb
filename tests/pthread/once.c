// The function runs once, and is done when pthread_once returns.  Result: correct.
// -DBUG asks by hand whether it ran: data race.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int times;

static void init(void)
{
    pthread_mutex_lock(&lock);
    times++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
#ifdef BUG
    if (times == 0)
        init();
#else
    pthread_once(&once, init);
#endif
    assert(times == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
