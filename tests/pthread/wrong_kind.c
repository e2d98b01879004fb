// Functions that are given an object of another kind, or garbage: the error says so.
//
// Result: correct.
// -DGARBAGE=1..26 is memory filled with 0x55: pthread misuse.
// -DONES=1..25 is memory filled with 0xff: pthread misuse.
// -DKIND=1..11 is a lock of another kind: pthread misuse.
// -DSMALL=1..2 is an unlocked mutex, which is smaller: memory error.
// Expect-GARBAGE=1: pthread_mutex_lock: not a mutex: was it initialised\?
// Expect-GARBAGE=10: pthread_rwlock_wrlock: not a read-write lock: was it initialised\?
// Expect-GARBAGE=26: pthread_once: not a pthread_once_t: was it initialised\?
// Expect-KIND=1: pthread_cond_wait: not a mutex: was it initialised\?
// Expect-SMALL=1: mutex . 48, which has 40 bytes
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static union {
    pthread_mutex_t mutex;
    mtx_t mtx;
    pthread_cond_t cond;
    pthread_rwlock_t rwlock;
    pthread_barrier_t barrier;
    pthread_spinlock_t spin;
    pthread_once_t once;
    sem_t sem;
} x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static const struct timespec late = {.tv_sec = 2000000000};

__attribute__((unused)) static int garbage(int which)
{
    int value;
    switch (which) {
    case 1: return pthread_mutex_lock(&x.mutex);
    case 2: return pthread_mutex_trylock(&x.mutex);
    case 3: return pthread_mutex_timedlock(&x.mutex, &late);
    case 4: return pthread_mutex_unlock(&x.mutex);
    case 5: return pthread_mutex_destroy(&x.mutex);
    case 6: return mtx_lock(&x.mtx);
    case 7: return pthread_cond_wait(&cond, &x.mutex);
    case 8: return pthread_rwlock_rdlock(&x.rwlock);
    case 9: return pthread_rwlock_tryrdlock(&x.rwlock);
    case 10: return pthread_rwlock_wrlock(&x.rwlock);
    case 11: return pthread_rwlock_timedwrlock(&x.rwlock, &late);
    case 12: return pthread_rwlock_unlock(&x.rwlock);
    case 13: return pthread_rwlock_destroy(&x.rwlock);
    case 14: return pthread_cond_signal(&x.cond);
    case 15: return pthread_cond_broadcast(&x.cond);
    case 16: return pthread_cond_destroy(&x.cond);
    case 17: pthread_mutex_lock(&mutex); return pthread_cond_wait(&x.cond, &mutex);
    case 18: return pthread_barrier_wait(&x.barrier);
    case 19: return pthread_barrier_destroy(&x.barrier);
    case 20: return sem_wait(&x.sem);
    case 21: return sem_trywait(&x.sem);
    case 22: return sem_post(&x.sem);
    case 23: return sem_getvalue(&x.sem, &value);
    case 24: return sem_destroy(&x.sem);
    case 25: return pthread_spin_lock(&x.spin);
    default: return pthread_once(&x.once, abort);
    }
}

__attribute__((unused)) static int kind(int which)
{
    switch (which) {
    case 1: pthread_rwlock_wrlock(&x.rwlock); return pthread_cond_wait(&cond, &x.mutex);
    case 2: pthread_rwlock_wrlock(&x.rwlock); return pthread_mutex_unlock(&x.mutex);
    case 3: pthread_rwlock_rdlock(&x.rwlock); return pthread_mutex_lock(&x.mutex);
    case 4: pthread_mutex_lock(&x.mutex); return pthread_rwlock_rdlock(&x.rwlock);
    case 5: pthread_mutex_lock(&x.mutex); return pthread_rwlock_unlock(&x.rwlock);
    case 6: pthread_mutex_lock(&x.mutex); return pthread_cond_signal(&x.cond);
    case 7: mtx_init(&x.mtx, mtx_recursive); return pthread_rwlock_wrlock(&x.rwlock);
    case 8: sem_init(&x.sem, 0, 0); return pthread_mutex_lock(&x.mutex);
    case 9: sem_init(&x.sem, 0, 1); return pthread_rwlock_wrlock(&x.rwlock);
    case 10: pthread_barrier_init(&x.barrier, NULL, 64); return pthread_mutex_lock(&x.mutex);
    default: pthread_mutex_lock(&x.mutex); return sem_post(&x.sem);
    }
}

int main(void)
{
#if defined GARBAGE
    memset(&x, 0x55, sizeof x);
    return garbage(GARBAGE);
#elif defined ONES
    memset(&x, 0xff, sizeof x);
    return garbage(ONES);
#elif defined KIND
    return kind(KIND);
#elif defined SMALL
    return SMALL == 1 ? pthread_rwlock_rdlock((pthread_rwlock_t *)&mutex)
                      : pthread_cond_signal((pthread_cond_t *)&mutex);
#else
    /* what is zero is any of them, one after the other */
    pthread_mutex_lock(&x.mutex);
    pthread_mutex_unlock(&x.mutex);
    pthread_rwlock_rdlock(&x.rwlock);
    pthread_rwlock_unlock(&x.rwlock);
    return pthread_cond_signal(&x.cond);
#endif
}
