// Whoever waited in vain finds that the time has come; clocks stand still otherwise.
//
// Options: --clock=choice
// Result: correct.  -DBUG takes it for certain that time is over: assertion violation.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static sem_t sem;

static void *work(void *arg)
{
    (void)arg;
    sem_post(&sem);
    return NULL;
}

static bool is_before(struct timespec a, struct timespec b)
{
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

int main(void)
{
    pthread_t thread;
    struct timespec start, limit, now;
    struct timeval day;
    clock_gettime(CLOCK_REALTIME, &start);
    limit = start;
    limit.tv_sec += 2;
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    int result = sem_timedwait(&sem, &limit);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(result == 0 || errno == ETIMEDOUT);
#ifdef BUG
    assert(!is_before(now, limit));
#else
    assert(is_before(now, limit) == (result == 0));
#endif
    pthread_join(thread, NULL);
    sleep(1);
    gettimeofday(&day, NULL);
    assert(day.tv_sec == now.tv_sec + 1 && time(NULL) == day.tv_sec && day.tv_usec == 0);
    assert(poll(NULL, 0, 1500) == 0);
    clock_gettime(CLOCK_MONOTONIC, &limit);
    assert(limit.tv_sec == now.tv_sec + 2 && limit.tv_nsec == 500000000);
    limit.tv_sec += 5;
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &limit, NULL) == 0);
    assert(time(NULL) == limit.tv_sec);
    return 0;
}
