// Two threads take turns by a condition variable.  Result: correct.
// -DBUG signals without changing the turn under the mutex: data race.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, log_[4], length;

static void *work(void *arg)
{
    int me = arg != NULL;
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&lock);
        while (turn != me)
            pthread_cond_wait(&changed, &lock);
        log_[length++] = me;
#ifdef BUG
        pthread_mutex_unlock(&lock);
        turn = !me;
        pthread_cond_signal(&changed);
#else
        turn = !me;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, &t);
    work(NULL);
    pthread_join(t, NULL);
    for (int k = 0; k < 4; k++)
        assert(log_[k] == k % 2);
    pthread_cond_destroy(&changed);
    return 0;
}
