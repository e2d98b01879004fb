// A handler runs in a thread that waits for a mutex, which then waits on.
// Result: correct.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int handled;
static int count;

static void handle(int signal)
{
    (void)signal;
    handled = 1;
}

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handle);
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    while (!handled)
        ;
    count++;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(count == 2);
    return 0;
}
