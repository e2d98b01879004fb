// Priorities, protocols, ceilings, concurrency and names are checked and kept.
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static void *work(void *arg)
{
    struct sched_param param;
    int policy;
    assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
    assert(policy == SCHED_RR && param.sched_priority == 5);
    return arg;
}

static void mutexes(void)
{
    pthread_mutexattr_t attr;
    pthread_mutex_t m;
    int value;
    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_setprioceiling(&attr, 1000) == EINVAL);
    assert(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT) == 0);
    assert(pthread_mutexattr_setprioceiling(&attr, 3) == 0);
    assert(pthread_mutexattr_getprioceiling(&attr, &value) == 0 && value == 3);
    pthread_mutex_init(&m, &attr);
    assert(pthread_mutex_getprioceiling(&m, &value) == 0 && value == 3);
    assert(pthread_mutex_setprioceiling(&m, 4, &value) == 0 && value == 3);
    assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
    assert(pthread_setschedparam(pthread_self(), SCHED_FIFO,
                                 &(struct sched_param){.sched_priority = 9}) == 0);
    assert(pthread_mutex_lock(&m) == EINVAL);
    assert(pthread_mutex_destroy(&m) == 0);
    pthread_mutex_init(&m, NULL);
    assert(pthread_mutex_getprioceiling(&m, &value) == EINVAL);
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attr;
    struct sched_param param = {.sched_priority = 5};
    char name[16];
    int policy;
    pthread_attr_init(&attr);
    pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attr, SCHED_RR);
    pthread_attr_setschedparam(&attr, &param);
    pthread_create(&t, &attr, work, NULL);
    pthread_join(t, NULL);
    assert(pthread_setschedparam(pthread_self(), SCHED_RR, &param) == 0);
    assert(pthread_setschedprio(pthread_self(), 0) == EINVAL);
    assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0 && policy == SCHED_RR);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    param.sched_priority = 0;
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &param) == 0);
    mutexes();
    assert(pthread_setconcurrency(-1) == EINVAL && pthread_setconcurrency(3) == 0);
    assert(pthread_getconcurrency() == 3);
    assert(pthread_setname_np(pthread_self(), "much too long a name") == ERANGE);
    assert(pthread_setname_np(pthread_self(), "first") == 0);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 &&
           !strcmp(name, "first"));
    assert(pthread_getattr_np(pthread_self(), &attr) == 0);
    assert(pthread_attr_getdetachstate(&attr, &policy) == 0 &&
           policy == PTHREAD_CREATE_JOINABLE);
    clockid_t clock;
    assert(pthread_getcpuclockid(pthread_self(), &clock) == 0);
    return 0;
}
