// A mutex keeps two threads apart, a static recursive one too.  Result: correct.
// -DBUG lets one thread go without it: data race.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int count;

static void *work(void *arg)
{
    for (int k = 0; k < 2; k++) {
#ifdef BUG
        if (arg) {
            count++;
            continue;
        }
#endif
        pthread_mutex_lock(&lock);
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(&t);
    pthread_join(t, NULL);
    assert(count == 8);
    return 0;
}
