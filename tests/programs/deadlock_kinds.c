// The main thread waits for ever for what it holds itself, or for what a thread holds that
// has ended or waits for main, while another thread goes on.  Result: correct.
// -DKIND=1..9: deadlock.
// -DKIND=10 a thread waits for one of a circle: main can end, or waits for what nobody posts
// any more while one thread goes on: endless run. -DKIND=11 the holder waits for what the
// running thread may do: correct. -DKIND=12 the holder waits with a limit: correct. -DKIND=13
// what looks like a circle is none, since one of two readers has left: correct. -DKIND=14 a
// signal may come, whose handler ends the process: correct.
// Expect-KIND=1: deadlock: 1 of 2 threads is blocked forever, the main thread too
// Expect-KIND=4: deadlock: 2 of 3 threads are blocked forever, the main thread too
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#ifndef KIND
#define KIND 0
#endif

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t ready, more;
static atomic_int x;

static void *first(void *arg)
{
    pthread_mutex_lock(&b);
    sem_post(&ready);
    pthread_mutex_lock(&c);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&c);
    sem_post(&ready);
    pthread_mutex_lock(&b);
    return arg;
}

static void *third(void *arg)
{
    pthread_mutex_lock(&b);
    return arg;
}

static void *holder(void *arg)
{
    if (KIND == 2 || KIND == 3 || KIND == 4 || KIND == 11 || KIND == 12)
        pthread_mutex_lock(&b);
    if (KIND == 5)
        pthread_rwlock_rdlock(&rw);
    if (KIND == 6)
        pthread_rwlock_wrlock(&rw);
    if (KIND == 7)
        pthread_spin_lock(&spin);
    if (KIND == 8)
        flockfile(arg);
    if (KIND == 13) {
        pthread_rwlock_rdlock(&rw);
        pthread_rwlock_unlock(&rw);
    }
    sem_post(&ready);
    if (KIND == 2)
        sem_wait(&more);
    if (KIND == 4 || KIND == 5 || KIND == 13)
        pthread_mutex_lock(&a);
    if (KIND == 6 || KIND == 7)
        pthread_mutex_lock(&a);
    if (KIND == 11) {
        sem_wait(&more);
        pthread_mutex_unlock(&b);
    }
    if (KIND == 12) {
        struct timespec past = {1, 0};
        if (pthread_mutex_timedlock(&a, &past) == 0)
            pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    if (KIND == 13)
        pthread_mutex_unlock(&a);
    return NULL;
}

#if KIND == 14
static void leave(int signal)
{
    (void)signal;
    _exit(0);
}
#endif

static void *run_on(void *arg)
{
    (void)arg;
    if (KIND == 2 || KIND == 11)
        sem_post(&more);
#if KIND == 14
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
#endif
    for (;;)
        atomic_exchange(&x, 1);
}

int main(void)
{
    static pthread_t t, u, self;
    static FILE *stream;
    self = pthread_self();
    stream = KIND == 8 ? tmpfile() : NULL;
    pthread_spin_init(&spin, 0);
    sem_init(&ready, 0, 0);
    sem_init(&more, 0, 0);
#if KIND == 14
    signal(SIGUSR1, leave);
#endif
    pthread_mutex_lock(&a);
    pthread_create(&t, NULL, run_on, &self);
    if (KIND == 1 || KIND == 14)
        pthread_mutex_lock(&a);
    pthread_create(&u, NULL, holder, stream);
    sem_wait(&ready);
    switch (KIND) {
    case 2: /* its owner may end before or after main waits */
    case 3:
    case 4:
    case 11:
    case 12: pthread_mutex_lock(&b); break;
    case 5: pthread_rwlock_wrlock(&rw); break;
    case 6: pthread_rwlock_rdlock(&rw); break;
    case 7: pthread_spin_lock(&spin); break;
    case 8: flockfile(stream); break;
    case 9:
        pthread_rwlock_rdlock(&rw);
        pthread_rwlock_wrlock(&rw);
        break;
    case 10:
        pthread_create(&u, NULL, first, NULL);
        sem_wait(&ready);
        pthread_create(&u, NULL, second, NULL);
        sem_wait(&ready);
        pthread_create(&u, NULL, third, NULL);
        break;
    case 13: pthread_rwlock_wrlock(&rw); break;
    }
    return 0;
}
