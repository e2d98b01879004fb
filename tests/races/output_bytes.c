// A thread writes out what another one changes.  Result: data race.
// -DLOCKED under a lock: correct.
// -DJOINED after it was joined: correct.
// -DVECTOR the second of two parts: data race.
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

static char text[2] = "a\n";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *arg)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    text[0] = 'b';
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    (void)lock;
    pthread_create(&thread, NULL, change, NULL);
#ifdef JOINED
    pthread_join(thread, NULL);
#endif
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
#ifdef VECTOR
    struct iovec part[2] = {{"x", 1}, {text, 2}};
    ssize_t n = writev(1, part, 2);
#else
    ssize_t n = write(1, text, 2);
#endif
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
#ifndef JOINED
    pthread_join(thread, NULL);
#endif
    return n < 2;
}
