// With --clock=prompt no limit of a join, or of a wait on a futex, passes while a thread can go
// on.  Result: correct.
// Options: --clock=prompt
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int word;

static void *work(void *arg)
{
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1);
    return arg;
}

static void *wait_for_lock(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *sleep_long(void *arg)
{
    sleep(100);
    return arg;
}

static struct timespec after(time_t seconds)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += seconds;
    return limit;
}

int main(void)
{
    pthread_t thread;
    void *result;
    struct timespec limit = after(10), span = {10, 0};

    pthread_create(&thread, NULL, work, &word);
    while (!atomic_load(&word))
        assert(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &span) == 0 || errno != ETIMEDOUT);
    assert(pthread_timedjoin_np(thread, &result, &limit) == 0 && result == &word);
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 1, &span) == -1 && errno == ETIMEDOUT);

    pthread_mutex_lock(&lock); /* nobody gives it free until the limit has passed */
    pthread_create(&thread, NULL, wait_for_lock, NULL);
    limit = after(10);
    assert(pthread_timedjoin_np(thread, NULL, &limit) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    limit = after(10);
    assert(pthread_timedjoin_np(thread, NULL, &limit) == 0);

    pthread_create(&thread, NULL, sleep_long, NULL);
    limit = after(99);
    assert(pthread_timedjoin_np(thread, NULL, &limit) == ETIMEDOUT);
    limit = after(2);
    assert(pthread_timedjoin_np(thread, NULL, &limit) == 0);
    limit.tv_nsec = -1;
    pthread_create(&thread, NULL, sleep_long, NULL);
    assert(pthread_timedjoin_np(thread, NULL, &limit) == EINVAL || word);
    pthread_detach(thread);
    return 0;
}
