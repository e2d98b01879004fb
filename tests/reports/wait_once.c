// A thread waits with `if`, though a wait may end by itself.  Result: assertion violation.
// Learned: main has woken up by itself in line 29; nobody has set ready.
// Options: --spurious-wakeups
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
bool ready;

static void *prepare(void *arg)
{
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, prepare, 0);

    pthread_mutex_lock(&lock);
    if (!ready) {
        /* nothing else can be done meanwhile */
        pthread_cond_wait(&changed, &lock);
    }
    assert(ready);
    pthread_mutex_unlock(&lock);

    pthread_join(thread, 0);
    return 0;
}
