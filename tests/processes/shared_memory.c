// Memory that processes share, with a mutex, a condition variable and a semaphore in it.
//
// Result: correct.  -DRACE forgets the lock: data race.  -DLOST uses a lock of its own
// in each process: data race.  -DALONE has memory that is not shared: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    sem_t sem;
    int value, ready, other;
};

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void work(struct shared *shared)
{
    pthread_mutex_t *mutex = &shared->mutex;
#ifdef LOST
    mutex = &own;
#endif
#ifndef RACE
    pthread_mutex_lock(mutex);
#endif
    shared->value++;
#ifndef RACE
    pthread_mutex_unlock(mutex);
#endif
}

int main(void)
{
    int flags = MAP_ANONYMOUS | MAP_SHARED;
#ifdef ALONE
    flags = MAP_ANONYMOUS | MAP_PRIVATE;
#endif
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, flags, -1, 0);
    pthread_mutexattr_t attr;
    pthread_condattr_t cond;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &attr);
    pthread_condattr_init(&cond);
    pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared->cond, &cond);
    sem_init(&shared->sem, 1, 0);
    if (fork() == 0) {
        work(shared);
        shared->other = 5;
        sem_post(&shared->sem);
        pthread_mutex_lock(&shared->mutex);
        shared->ready = 1;
        pthread_cond_signal(&shared->cond);
        pthread_mutex_unlock(&shared->mutex);
        munmap(shared, sizeof *shared);
        _exit(0);
    }
    work(shared);
#ifndef ALONE
    sem_wait(&shared->sem);
    assert(shared->other == 5);
    pthread_mutex_lock(&shared->mutex);
    while (!shared->ready)
        pthread_cond_wait(&shared->cond, &shared->mutex);
    pthread_mutex_unlock(&shared->mutex);
#endif
    assert(wait(NULL) > 0);
    assert(shared->value == 2);
    pthread_mutex_destroy(&shared->mutex);
    munmap(shared, sizeof *shared);
    return 0;
}
