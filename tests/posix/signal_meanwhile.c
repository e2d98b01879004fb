// What a thread waits for comes while a signal handler runs on top of the wait, or the handler
// waits for something itself: each wait gets what is meant for it.
//
// Two threads wait on a condition variable, one of them in a handler.  Result: correct.
// -DWAITS the handler waits, too, by other means: correct.
// -DJUMP it has a longjmp of its own: correct.
// -DFOREVER nobody signals: deadlock.
// -DCANCEL=1..2 a request to cancel comes, to sem_wait and to pthread_cond_wait: correct.
// -DDISABLED=1..2 the same while the handler does not want it: correct.
// -DAWAIT the signal comes that sigwait waits for: correct.
// -DJOIN the thread ends that is waited for, and the handler waits: correct.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>
#ifdef DISABLED
#define CANCEL DISABLED
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static bool is_ready;
static sem_t sem;
static sigset_t awaited;
static int ends[2];
static atomic_int handled;

static void handle(int signal)
{
    (void)signal;
#if defined WAITS || defined JOIN
    struct pollfd polled = {ends[0], POLLIN, 0};
    poll(&polled, 1, -1);
#endif
#ifdef JUMP
    jmp_buf within;
    if (setjmp(within) == 0)
        longjmp(within, 1);
#endif
#ifdef DISABLED
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    handled = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
#endif
    handled = 1;
}

static void unlock(void *arg)
{
    (void)arg;
    pthread_mutex_unlock(&lock);
}

static void *wait_cond(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, NULL);
    while (!is_ready)
        pthread_cond_wait(&ready, &lock);
    pthread_cleanup_pop(1);
    return arg;
}

#if defined CANCEL
static void *wait_sem(void *arg)
{
    sem_wait(&sem);
    return arg;
}

static void test(pthread_t *t)
{
    void *result;
    pthread_create(t, NULL, CANCEL == 1 ? wait_sem : wait_cond, NULL);
    pthread_kill(*t, SIGUSR1);
    pthread_cancel(*t);
    pthread_join(*t, &result);
    assert(result == PTHREAD_CANCELED);
}
#elif defined AWAIT
static void *wait_signal(void *arg)
{
    int got;
    assert(sigwait(&awaited, &got) == 0 && got == SIGUSR2);
    return arg;
}

static void test(pthread_t *t)
{
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &awaited, NULL);
    pthread_create(t, NULL, wait_signal, NULL);
    pthread_kill(*t, SIGUSR1);
    kill(getpid(), SIGUSR2);
    pthread_join(*t, NULL);
}
#elif defined JOIN
static void *end(void *arg)
{
    return arg;
}

static void *join(void *arg)
{
    pthread_join(*(pthread_t *)arg, NULL);
    return NULL;
}

static void test(pthread_t *t)
{
    pthread_t u;
    pthread_create(&u, NULL, end, NULL);
    pthread_create(t, NULL, join, &u);
    pthread_kill(*t, SIGUSR1);
    write(ends[1], "", 1);
    pthread_join(*t, NULL);
}
#else
static void test(pthread_t *t)
{
    pthread_t u;
    pthread_create(t, NULL, wait_cond, NULL);
    pthread_create(&u, NULL, wait_cond, NULL);
    pthread_kill(*t, SIGUSR1);
#ifdef WAITS
    write(ends[1], "", 1);
#endif
#ifndef FOREVER
    pthread_mutex_lock(&lock);
    is_ready = true;
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(*t, NULL);
    pthread_join(u, NULL);
}
#endif

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handle);
    sem_init(&sem, 0, 0);
    pipe(ends);
    test(&t);
    return 0;
}
