// A failed attempt to lock tells that another thread has locked, and orders nothing: what that
// thread wrote before may not be read yet. Result: data race.
// -DTIMED up to a time: data race.
// -DREADS a read-write lock for reading: data race.
// -DWRITES or for writing: data race.
// -DSEMAPHORE a semaphore: data race.
// -DVALUE asks for its value: data race.
// -DSPIN a spin lock: data race.
// -DSTREAM a stream: data race.
// -DPOINTER calls by a pointer: data race.
// -DBOTH reads once it has the lock: correct.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static int data;

#if defined READS || defined WRITES
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK() pthread_rwlock_wrlock(&lock)
#define UNLOCK() pthread_rwlock_unlock(&lock)
#ifdef READS
#define FAILS() pthread_rwlock_tryrdlock(&lock)
#else
#define FAILS() pthread_rwlock_trywrlock(&lock)
#endif
#elif defined SEMAPHORE || defined VALUE
static sem_t semaphore;
#define START() sem_init(&semaphore, 0, 1)
#define LOCK() sem_wait(&semaphore)
#define UNLOCK() sem_post(&semaphore)
#ifdef SEMAPHORE
#define FAILS() sem_trywait(&semaphore)
#else
static int fails(void)
{
    int value;
    sem_getvalue(&semaphore, &value);
    if (value)
        sem_wait(&semaphore);
    return !value;
}
#define FAILS() fails()
#endif
#elif defined STREAM
#define LOCK() flockfile(stdin)
#define UNLOCK() funlockfile(stdin)
#define FAILS() ftrylockfile(stdin)
#elif defined SPIN
static pthread_spinlock_t lock;
#define START() pthread_spin_init(&lock, 0)
#define LOCK() pthread_spin_lock(&lock)
#define UNLOCK() pthread_spin_unlock(&lock)
#define FAILS() pthread_spin_trylock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK() pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#ifdef TIMED
static const struct timespec past;
#define FAILS() pthread_mutex_timedlock(&lock, &past)
#else
#ifdef POINTER
static int (*volatile fails)(pthread_mutex_t *) = pthread_mutex_trylock;
#define FAILS() fails(&lock)
#else
#define FAILS() pthread_mutex_trylock(&lock)
#endif
#endif
#endif
#ifndef START
#define START() 0
#endif

static void *hold(void *arg)
{
    data = 1;
    LOCK();
#ifdef BOTH
    UNLOCK();
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    START();
    pthread_create(&thread, NULL, hold, NULL);
    int value = 1;
    if (FAILS()) {
#ifdef BOTH
        LOCK();
        value = data;
        UNLOCK();
#else
        value = data;
#endif
    } else {
        UNLOCK();
    }
    pthread_join(thread, NULL);
    return value != 1;
}
