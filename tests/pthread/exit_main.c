// The main thread ends before the others: the process goes on, and its status is
// 0; functions given to atexit are run by the last thread.  Result: correct.
// -DBUG asserts that the main thread's end is that of the process: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int steps;

static void at_exit(void)
{
    assert(steps == 2);
}

static void *work(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    steps++;
#ifdef BUG
    assert(0);
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atexit(at_exit);
    for (int k = 0; k < 2; k++) {
        pthread_create(&t, NULL, work, NULL);
        pthread_detach(t);
    }
    pthread_exit((void *)7);
}
