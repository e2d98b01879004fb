// What a thread has until it ends is asked for when it may have ended.  Result: correct.
// -DNAMED claims that it still has the name it gave itself: assertion violation.
// -DENDED claims that it has not: assertion violation.
// -DGIVEN=0 claims that it keeps the name that it is given: assertion violation.
// -DGIVEN=1 claims that it does not: assertion violation.
// -DPOLICY=0 the same with its policy: assertion violation.
// -DPOLICY=1 claims that it has lost that: assertion violation.
// -DSET_POLICY=0 the same with one that it is given: assertion violation.
// -DSET_POLICY=1 and that this is lost: assertion violation.
// -DATTR=0 the same by its attributes: assertion violation.
// -DATTR=1 claims that these are lost: assertion violation.
// -DTID=0 claims that its number is still known: assertion violation.
// -DTID=1 claims that it is not: assertion violation.
// -DONCE claims that it may come back after its end: assertion violation.
// -DWRITES=0..1 its end is seen as it has written something, and POLICY: assertion violation.
// -DOWN it asks for its own: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

static sem_t ready;
static pthread_t t;
#ifdef TID
static int tid;
#endif
#ifdef WRITES
#define POLICY WRITES
static int last;
#endif

static void *work(void *arg)
{
    char name[16] = "";
    struct sched_param param = {.sched_priority = 5};
#if !defined GIVEN && !defined SET_POLICY
    pthread_setname_np(pthread_self(), "name");
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
#endif
#ifdef TID
    tid = gettid();
#endif
#ifdef OWN
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(!strcmp(name, "name"));
#endif
    (void)param, (void)name;
    sem_post(&ready);
#ifdef WRITES
    last = 1;
#endif
    return arg;
}

static int has_name(void)
{
    char name[16];
    pthread_getname_np(t, name, sizeof name);
    assert(!strcmp(name, "name") || !strcmp(name, ""));
    return !strcmp(name, "name");
}

static int has_policy(void)
{
    int policy;
    struct sched_param param;
    pthread_getschedparam(t, &policy, &param);
    assert(policy == SCHED_FIFO ? param.sched_priority == 5 : policy == SCHED_OTHER);
    return policy == SCHED_FIFO;
}

static int has_attributes(void)
{
    pthread_attr_t attr;
    int policy;
    pthread_getattr_np(t, &attr);
    pthread_attr_getschedpolicy(&attr, &policy);
    pthread_attr_destroy(&attr);
    return policy == SCHED_FIFO;
}

int main(void)
{
    struct sched_param param = {.sched_priority = 5};
    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    sem_wait(&ready);
#if defined NAMED
    assert(has_name());
#elif defined ENDED
    assert(!has_name());
#elif defined GIVEN
    assert(pthread_setname_np(t, "name") == 0);
    assert(has_name() != GIVEN);
#elif defined POLICY
    assert(has_policy() != POLICY);
#elif defined SET_POLICY
    assert(pthread_setschedparam(t, SCHED_FIFO, &param) == 0);
    assert(has_policy() != SET_POLICY);
#elif defined ATTR
    assert(has_attributes() != ATTR);
#elif defined TID
    assert((sched_getscheduler(tid) >= 0) != TID);
#elif defined ONCE
    int before = has_name();
    assert(before == has_name());
#else
    assert(has_name() + has_policy() + has_attributes() <= 3);
#endif
    (void)param;
    pthread_join(t, NULL);
    return 0;
}
