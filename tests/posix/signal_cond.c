// A handler runs in a thread that waits on a condition variable, which goes on
// waiting, and can be signalled meanwhile.  Result: correct.
// -DJUMP it is left by siglongjmp, before the thread waits: correct.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static volatile sig_atomic_t armed, handled;
static bool is_ready;
static sigjmp_buf back;

static void handle(int signal)
{
    (void)signal;
    handled = handled + 1;
    if (armed)
        siglongjmp(back, 1);
}

static void *work(void *arg)
{
#ifdef JUMP
    if (sigsetjmp(back, 0) == 0)
        armed = 1;
    armed = 0;
#endif
    pthread_mutex_lock(&lock);
    while (!is_ready)
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_mutex_lock(&lock);
    is_ready = true;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(handled <= 1);
    return 0;
}
