// A thread that is signalled and cancelled may go on or be cancelled, but the signal
// is not lost: the other thread is woken then.  Result: correct.
// -DBUG=1 claims that it is never cancelled after the signal, -DBUG=2 that always:
// assertion violation.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int waiting, tokens;

static void unlock(void *arg)
{
    pthread_mutex_unlock(arg);
}

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    waiting++;
    while (!tokens)
        pthread_cond_wait(&ready, &lock);
    tokens--;
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    void *result;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_mutex_lock(&lock);
again:
    if (waiting < 2) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        goto again;
    }
    tokens = 1;
    pthread_cond_signal(&ready);
    pthread_cancel(a);
    pthread_mutex_unlock(&lock);
    pthread_join(a, &result);
    if (result == PTHREAD_CANCELED) {
        pthread_join(b, NULL);
        assert(tokens == 0 && BUG != 1);
    } else {
        pthread_cancel(b);
        pthread_join(b, NULL);
        assert(BUG != 2);
    }
    return 0;
}
