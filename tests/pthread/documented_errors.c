// Errors that POSIX documents and that need no misuse, which other tests do not show.
//
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <threads.h>

static sem_t sem;

static void handle(int signal)
{
    (void)signal;
}

static void *interrupted(void *arg)
{
    int result = sem_wait(&sem);
    assert(result == 0 || errno == EINTR);
    return arg;
}

static void keys(void)
{
    pthread_key_t key[PTHREAD_KEYS_MAX], one_more;
    for (int k = 0; k < PTHREAD_KEYS_MAX; k++)
        assert(pthread_key_create(&key[k], NULL) == 0);
    assert(pthread_key_create(&one_more, NULL) == EAGAIN);
    assert(tss_create(&one_more, NULL) == thrd_error);
    for (int k = 0; k < PTHREAD_KEYS_MAX; k++)
        pthread_key_delete(key[k]);
}

static void locks(void)
{
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_barrier_t barrier;
    pthread_mutexattr_t attr;
    pthread_rwlock_wrlock(&lock);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY &&
           pthread_rwlock_trywrlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_settype(&attr, 99) == EINVAL);
    assert(pthread_mutexattr_setrobust(&attr, 99) == EINVAL);
    assert(pthread_mutexattr_setprotocol(&attr, 99) == EINVAL);
    assert(pthread_mutexattr_setpshared(&attr, 99) == EINVAL);
    assert(pthread_mutexattr_setprioceiling(&attr, 0) == EINVAL);
}

static void scheduling(void)
{
    struct sched_param param = {.sched_priority = 1000};
    char name[32];
    memset(name, 'x', sizeof name);
    name[31] = 0;
    assert(pthread_setname_np(pthread_self(), name) == ERANGE);
    assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) == EINVAL);
    assert(sched_setparam(0, &param) == -1 && errno == EINVAL);
    assert(sched_get_priority_max(99) == -1 && errno == EINVAL);
    assert(pthread_kill(pthread_self(), 99) == EINVAL);
    assert(pthread_setcancelstate(99, NULL) == EINVAL);
    assert(pthread_setcanceltype(99, NULL) == EINVAL);
}

int main(void)
{
    char name[NAME_MAX + 8];
    pthread_t thread;
    keys();
    locks();
    scheduling();
    memset(name, 'n', sizeof name);
    name[0] = '/';
    name[sizeof name - 1] = 0;
    assert(sem_open(name, O_CREAT, 0600, 0) == SEM_FAILED && errno == ENAMETOOLONG);
    assert(sem_init(&sem, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
    sem_init(&sem, 0, 0);
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&thread, NULL, interrupted, NULL);
    assert(pthread_kill(thread, SIGUSR1) == 0);
    sem_post(&sem);
    assert(pthread_join(thread, NULL) == 0);
    return 0;
}
