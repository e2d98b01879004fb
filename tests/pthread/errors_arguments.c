// Arguments that are refused, and what is lacking: of attributes, names, processors, times
// and priorities.
//
// Result: correct.
// Options: --malloc-may-fail
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static void nothing(void)
{
}

static void attributes(void)
{
    pthread_attr_t attr;
    struct sched_param param = {.sched_priority = 1};
    static char stack[PTHREAD_STACK_MIN];
    pthread_attr_init(&attr);
    assert(pthread_attr_setdetachstate(&attr, 2) == EINVAL);
    assert(pthread_attr_setinheritsched(&attr, 2) == EINVAL);
    assert(pthread_attr_setschedpolicy(&attr, 77) == EINVAL);
    assert(pthread_attr_setschedparam(&attr, &param) == 0);
    assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_setscope(&attr, 2) == EINVAL);
    assert(pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN - 1) == EINVAL);
    assert(pthread_attr_setstack(&attr, stack, sizeof stack - 1) == EINVAL);
    assert(pthread_attr_setstack(&attr, stack, sizeof stack) == 0);
    pthread_attr_destroy(&attr);
}

static void kept(void)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_barrier_t barrier;
    char name[16];
    cpu_set_t set;
    pthread_mutexattr_init(&mutex);
    assert(pthread_mutexattr_settype(&mutex, -1) == EINVAL);
    assert(pthread_mutexattr_setrobust(&mutex, 2) == EINVAL);
    assert(pthread_mutexattr_setprotocol(&mutex, -1) == EINVAL);
    assert(pthread_mutexattr_setprioceiling(&mutex, 100) == EINVAL);
    pthread_condattr_init(&cond);
    assert(pthread_condattr_setclock(&cond, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
    assert(pthread_condattr_setclock(&cond, 77) == EINVAL);
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    assert(pthread_getname_np(pthread_self(), name, 8) == ERANGE);
    sigset_t signals;
    sigemptyset(&signals);
    assert(pthread_sigmask(77, &signals, NULL) == EINVAL);
    CPU_ZERO(&set);
    assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == EINVAL);
    assert(pthread_getaffinity_np(pthread_self(), 0, &set) == EINVAL);
    assert(pthread_setconcurrency(-1) == EINVAL);
    assert(pthread_kill(pthread_self(), 0) == 0);
    assert(pthread_kill(pthread_self(), -1) == EINVAL);
    assert(pthread_setschedprio(pthread_self(), 100) == EINVAL);
    assert(pthread_setschedparam(pthread_self(), 77, &(struct sched_param){0}) == EINVAL);
}

static int failed(int result)
{
    return result == -1 ? errno : 0;
}

static void scheduling(void)
{
    struct sched_param param = {.sched_priority = 0};
    struct timespec time;
    assert(failed(sched_get_priority_min(77)) == EINVAL);
    assert(failed(sched_get_priority_max(77)) == EINVAL);
    assert(failed(sched_getscheduler(-1)) == EINVAL);
    assert(failed(sched_getscheduler(77)) == ESRCH);
    assert(failed(sched_getparam(77, &param)) == ESRCH);
    assert(failed(sched_setparam(77, &param)) == ESRCH);
    assert(failed(sched_setscheduler(77, SCHED_OTHER, &param)) == ESRCH);
    assert(failed(sched_setscheduler(0, 77, &param)) == EINVAL);
    param.sched_priority = 100;
    assert(failed(sched_setscheduler(0, SCHED_FIFO, &param)) == EINVAL);
    assert(failed(sched_rr_get_interval(77, &time)) == ESRCH);
}

static void semaphores(void)
{
    sem_t *sem = sem_open("/one", O_CREAT | O_EXCL, 0600, 1);
    assert(sem != SEM_FAILED);
    assert(sem_open("/one", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_open("/two", 0) == SEM_FAILED && errno == ENOENT);
    assert(sem_open("/", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
    assert(sem_open("/two", O_CREAT, 0600, (unsigned)SEM_VALUE_MAX + 1) == SEM_FAILED &&
           errno == EINVAL);
    assert(failed(sem_unlink("/two")) == ENOENT);
    assert(failed(sem_unlink("/one/two")) == EINVAL);
    assert(sem_close(sem) == 0 && sem_unlink("/one") == 0);
}

int main(void)
{
    int error = pthread_atfork(nothing, nothing, nothing);
    assert(error == 0 || error == ENOMEM);
    attributes();
    kept();
    scheduling();
    semaphores();
    return 0;
}
