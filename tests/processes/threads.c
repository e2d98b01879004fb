// A child has one thread, a copy of the one that forked, and can make others.  What a
// lock protects may be half done in it.
//
// Result: correct.  -DBUG forks while another thread holds the lock: deadlock.
// Expect-BUG: deadlock
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static _Thread_local int local = 1;
static int count;

static void *work(void *arg)
{
    (void)arg;
    assert(local == 1 && pthread_getspecific(key) == NULL);
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void child(pthread_t parent)
{
    pthread_t thread;
    assert(pthread_equal(parent, pthread_self()));
    assert(local == 2 && pthread_getspecific(key) == &count);
#ifndef BUG
    count = 0;
    pthread_create(&thread, NULL, work, NULL);
#endif
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
#ifndef BUG
    pthread_join(thread, NULL);
    assert(count == 2);
#endif
    _exit(0);
}

int main(void)
{
    pthread_t thread;
    int status;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &count);
    local = 2;
    pthread_create(&thread, NULL, work, NULL);
#ifndef BUG
    pthread_join(thread, NULL);
#endif
    if (fork() == 0)
        child(pthread_self());
#ifdef BUG
    pthread_join(thread, NULL);
#endif
    assert(wait(&status) > 0 && status == 0);
    assert(count == 1);
    return 0;
}
