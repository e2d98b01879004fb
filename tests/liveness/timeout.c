// A wait with a time limit may time out every time, even in a fair run.  Result: livelock.
// -DGIVES_UP tries three times: correct.
// -DSET: another thread sets the flag, if it ever gets the lock, which is free only now and
// then: livelock.
// Options: --fair --endless=allow
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int flag;

static void *set_flag(void *arg)
{
    pthread_mutex_lock(&mutex);
#ifdef SET
    flag = 1;
#endif
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    struct timespec limit = {1, 0};
    pthread_t thread;
    int rounds = 0;
    pthread_create(&thread, NULL, set_flag, NULL);
    pthread_mutex_lock(&mutex);
    while (!flag) {
        pthread_cond_timedwait(&changed, &mutex, &limit);
#ifdef GIVES_UP
        if (++rounds == 3)
            break;
#endif
    }
    (void)rounds;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
