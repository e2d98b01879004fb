// A handler is left by siglongjmp; the thread can wait and be woken afterwards.
// Result: correct.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static volatile sig_atomic_t armed, jumped;
static bool is_ready;
static sigjmp_buf back;

static void handle(int signal)
{
    (void)signal;
    if (armed)
        siglongjmp(back, 1);
}

static void *work(void *arg)
{
    if (sigsetjmp(back, 0) == 0) {
        armed = 1;
        armed = 0;
    } else {
        armed = 0;
        jumped = 1;
    }
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
    return 0;
}
