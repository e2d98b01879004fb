// Threads call exit while another is in it: they wait, each handler runs once.  Result:
// correct. -DRETURN main returns, which is the same: correct. -DDESTRUCTOR there is a function
// that is to run at the end: correct. -DAGAIN a handler calls exit: correct. -DJOIN a handler
// joins a thread that calls exit, and so waits: deadlock. -DCHILD only one thread of a child is
// in exit: correct.
// Expect-JOIN: waits to join
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int run;
static atomic_int started;

#ifdef DESTRUCTOR
__attribute__((destructor))
#endif
static void
handler(void)
{
    assert(++run == 1);
}

#ifndef DESTRUCTOR
static pthread_t thread;
static sem_t known;

static void handler_before(void)
{
    assert(run == 0);
#ifdef AGAIN
    exit(0);
#elif defined JOIN
    if (!pthread_equal(thread, pthread_self()))
        pthread_join(thread, NULL);
#endif
}
#endif

static void *work(void *arg)
{
    atomic_store(&started, 1);
#ifdef CHILD
    if (fork())
        return arg;
#elif defined JOIN
    sem_wait(&known);
#endif
    exit(0);
}

int main(void)
{
    pthread_t t;
#ifdef JOIN
    sem_init(&known, 0, 0);
#endif
#ifndef DESTRUCTOR
    atexit(handler);
    atexit(handler_before);
#endif
    pthread_create(&t, NULL, work, NULL);
#ifdef JOIN
    thread = t;
    sem_post(&known);
#endif
#if defined RETURN || defined JOIN || defined CHILD
    return 0;
#else
    if (atomic_load(&started))
        exit(0);
    pause();
#endif
}
