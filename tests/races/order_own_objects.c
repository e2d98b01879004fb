// A relaxed flag passes nothing on, whatever both threads do with objects of their own between
// their accesses: mutexes and other objects that are destroyed, futexes, system calls.
// Result: data race.
// -DOTHERS=1 condition variables: data race.
// -DOTHERS=2 semaphores: data race.
// -DOTHERS=3 barriers: data race.
// -DOTHERS=4 read-write locks: data race.
// -DOTHERS=5 spin locks: data race.
// -DOTHERS=6 futexes: data race.
// -DOTHERS=7 their numbers, a clock, a turn for others: data race.
// -DOTHERS=8 output: data race.
// -DSAME=0 and with the same mutex: correct.
// -DSAME=6 and with the same futex: correct.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int message;
static atomic_int sent;

#ifdef SAME
#define OTHERS SAME
#define OF(who) 0
#else
#define OF(who) (who)
#endif
#ifndef OTHERS
#define OTHERS 0
#endif

static union {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    sem_t semaphore;
    pthread_barrier_t barrier;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
    atomic_int word;
} own[2];

static void make(int who)
{
    switch (OTHERS) {
    case 1: pthread_cond_init(&own[who].condition, NULL); break;
    case 2: sem_init(&own[who].semaphore, 0, 1); break;
    case 3: pthread_barrier_init(&own[who].barrier, NULL, 1); break;
    case 4: pthread_rwlock_init(&own[who].rwlock, NULL); break;
    case 5: pthread_spin_init(&own[who].spin, PTHREAD_PROCESS_PRIVATE); break;
    default: break;
    }
}

static void use(int who)
{
    struct timespec now;
    switch (OTHERS) {
    case 0:
#ifdef SAME
        pthread_mutex_lock(&own[who].mutex);
        pthread_mutex_unlock(&own[who].mutex);
#else
        pthread_mutex_destroy(&own[who].mutex);
#endif
        break;
    case 1: pthread_cond_destroy(&own[who].condition); break;
    case 2: sem_destroy(&own[who].semaphore); break;
    case 3: pthread_barrier_destroy(&own[who].barrier); break;
    case 4: pthread_rwlock_destroy(&own[who].rwlock); break;
    case 5: pthread_spin_destroy(&own[who].spin); break;
    case 6: syscall(SYS_futex, &own[who].word, FUTEX_WAKE, 1); break;
    case 7:
        clock_gettime(CLOCK_MONOTONIC, &now);
        sched_yield();
        getpid();
        break;
    case 8: (void)!write(1, "x", 1); break;
    default: break;
    }
}

static void *sender(void *arg)
{
    message = 1;
    use(OF(0));
    atomic_store_explicit(&sent, 1, memory_order_relaxed);
    return arg;
}

static void *receiver(void *arg)
{
    if (atomic_load_explicit(&sent, memory_order_relaxed)) {
        use(OF(1));
        message++;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    make(0);
    make(1);
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
