// Result: correct.
// A thread that waits with a recursive mutex that it has locked twice keeps it: it is woken by
// who does not lock that, or its time passes, or it is cancelled. Then it has it twice as
// before.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex;
static pthread_cond_t said = PTHREAD_COND_INITIALIZER, never = PTHREAD_COND_INITIALIZER;
static atomic_int waits, done;

static void unlock_twice(void *arg)
{
    assert(!pthread_mutex_unlock(arg));
    assert(!pthread_mutex_unlock(arg));
    assert(pthread_mutex_unlock(arg) == EPERM);
}

static void *wait_for_it(void *arg)
{
    const struct timespec soon = {1, 0};
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock_twice, &mutex);
    assert(pthread_cond_timedwait(&never, &mutex, &soon) == ETIMEDOUT);
    waits = 1;
    pthread_cond_wait(&said, &mutex);
    done = 1;
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_t thread;
    void *result;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attr);
    pthread_create(&thread, NULL, wait_for_it, NULL);
    int free = !pthread_mutex_trylock(&mutex);
    assert(!free || !waits || done);
    if (free)
        pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&said);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(done || result == PTHREAD_CANCELED);
    assert(!pthread_mutex_trylock(&mutex));
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    return 0;
}
