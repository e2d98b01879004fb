// A process ends with a robust mutex locked that another shares, and may be waiting for: it
// is told so, once.
//
// Result: correct.  -DTHREAD a thread holds it that is not the one that ends the process:
// correct.  -DKILLED the process is ended by a signal: correct.  -DLOST who is told does
// not make the mutex consistent: correct.  -DNORMAL it is not robust: deadlock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
    pthread_mutex_t mutex;
    sem_t locked;
    int value;
};

static struct shared *shared;

static void lock(void)
{
    assert(pthread_mutex_lock(&shared->mutex) == 0);
    shared->value = 1;
    sem_post(&shared->locked);
}

#ifdef THREAD
static sem_t held, never;

static void *work(void *arg)
{
    lock();
    sem_post(&held);
    sem_wait(&never);
    return arg;
}
#endif

static void child(void)
{
#ifdef THREAD
    pthread_t thread;
    sem_init(&held, 0, 0);
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&held);
#else
    lock();
#endif
#ifdef KILLED
    raise(SIGKILL);
#endif
    _exit(0);
}

int main(void)
{
    shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
#ifndef NORMAL
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
#endif
    pthread_mutex_init(&shared->mutex, &attr);
    sem_init(&shared->locked, 1, 0);
    pid_t pid = fork();
    if (pid == 0)
        child();
    sem_wait(&shared->locked);
    assert(pthread_mutex_lock(&shared->mutex) == EOWNERDEAD);
    assert(shared->value == 1);
#ifdef LOST
    pthread_mutex_unlock(&shared->mutex);
    assert(pthread_mutex_lock(&shared->mutex) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&shared->mutex) == ENOTRECOVERABLE);
#else
    assert(pthread_mutex_consistent(&shared->mutex) == 0);
    assert(pthread_mutex_unlock(&shared->mutex) == 0);
    assert(pthread_mutex_lock(&shared->mutex) == 0);
    assert(pthread_mutex_unlock(&shared->mutex) == 0);
#endif
    waitpid(pid, NULL, 0);
    pthread_mutex_destroy(&shared->mutex);
    munmap(shared, sizeof *shared);
    return 0;
}
