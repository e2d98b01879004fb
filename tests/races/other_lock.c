// Two threads lock, but not the same mutex.  Result: data race.
// -DSAME they lock the same one: correct.
// -DTRYLOCK one only tries, and writes even when it failed: data race.
// -DTRIED one tries, and writes when it succeeded: correct.
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int x;

#if defined SAME || defined TRYLOCK || defined TRIED
#define OTHER 0
#else
#define OTHER 1
#endif

static void *work(void *arg)
{
    pthread_mutex_lock(&lock[0]);
    x++;
    pthread_mutex_unlock(&lock[0]);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#if defined TRYLOCK
    int failed = pthread_mutex_trylock(&lock[0]);
    x++;
    if (!failed)
        pthread_mutex_unlock(&lock[0]);
#elif defined TRIED
    if (!pthread_mutex_trylock(&lock[0])) {
        x++;
        pthread_mutex_unlock(&lock[0]);
    }
#else
    pthread_mutex_lock(&lock[OTHER]);
    x++;
    pthread_mutex_unlock(&lock[OTHER]);
#endif
    pthread_join(t, NULL);
    return 0;
}
