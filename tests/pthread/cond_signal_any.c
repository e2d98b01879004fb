// Which of two waiting threads a signal wakes is open.  Result: assertion violation.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static int waiting, first;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    int me = ++waiting;
    pthread_cond_wait(&wake, &lock);
    if (!first)
        first = me;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, work, NULL);
    for (int all = 0; !all;) {
        pthread_mutex_lock(&lock);
        all = waiting == 2;
        pthread_mutex_unlock(&lock);
    }
    pthread_cond_signal(&wake);
    pthread_mutex_lock(&lock);
    assert(first != 2);
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&wake);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    return 0;
}
