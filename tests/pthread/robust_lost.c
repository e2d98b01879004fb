// A robust mutex that nobody made consistent: all who wait for it are told so.
// Result: correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *die(void *arg)
{
    pthread_mutex_lock(&lock);
    return arg;
}

static void *work(void *arg)
{
    int error = pthread_mutex_lock(&lock);
    assert(error == 0 || error == EOWNERDEAD || error == ENOTRECOVERABLE);
    if (error != ENOTRECOVERABLE)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attr);
    pthread_create(&t, NULL, die, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    int error = pthread_mutex_lock(&lock);
    assert(error == EOWNERDEAD || error == ENOTRECOVERABLE);
    return 0;
}
