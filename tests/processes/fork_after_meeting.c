// Between two forks threads meet at a condition variable and a barrier.  Result: correct.
// -DBUG the child waits for what its parent signals: deadlock.
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_barrier_t two;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *arg)
{
    pthread_barrier_wait(&two);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void await(void)
{
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t t;
    int status;
    if (fork() == 0)
        _exit(0);
    wait(NULL);
    pthread_barrier_init(&two, NULL, 2);
    pthread_create(&t, NULL, work, NULL);
    pthread_barrier_wait(&two);
    await();
    pthread_join(t, NULL);
    if (fork() == 0) {
#ifdef BUG
        done = 0;
        await();
#endif
        _exit(done - 1);
    }
    wait(&status);
    assert(status == 0);
    return 0;
}
