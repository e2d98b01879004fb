// One thread changes the ceiling of a mutex, which it locks for that, while another one uses
// the mutex and asks for the ceiling.  Result: correct. -DBUG=1..2 claims that the ceiling is
// not seen before, or after: assertion violation. -DLOCKED claims that it is not seen before
// while the mutex is locked: assertion violation. -DFIRST the thread that was made asks:
// correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int count;

static int ceiling(void)
{
    int value;
    assert(pthread_mutex_getprioceiling(&lock, &value) == 0);
    return value;
}

static void *change(void *arg)
{
    int before;
    assert(pthread_mutex_setprioceiling(&lock, 20, &before) == 0 && before == 10);
    return arg;
}

static void *use(void *arg)
{
#ifdef LOCKED
    if (pthread_mutex_trylock(&lock) == EBUSY)
        assert(ceiling() != 10);
    else
        pthread_mutex_unlock(&lock);
#else
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    int seen = ceiling();
    assert(seen == 10 || seen == 20);
#ifdef BUG
    assert(seen != 10 * BUG);
#endif
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attr, 10);
    pthread_mutex_init(&lock, &attr);
#ifdef FIRST
    pthread_create(&t, NULL, use, NULL);
    change(NULL);
#else
    pthread_create(&t, NULL, change, NULL);
    use(NULL);
#endif
    pthread_join(t, NULL);
    assert(ceiling() == 20);
    return 0;
}
