// A join that is given up orders nothing: what the thread wrote before is read without an
// order. Result: data race. -DJOINED reads after a join that was not given up: correct.

// divm: --clock=prompt
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t go_on;
static atomic_int passed;
static int data;

static void *work(void *arg)
{
    data = 1;
    atomic_fetch_add_explicit(&passed, 1, memory_order_relaxed);
    sem_wait(&go_on);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec limit;
    sem_init(&go_on, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    int result = pthread_timedjoin_np(t, NULL, &limit);
#ifndef JOINED
    if (result)
        result = data;
#endif
    sem_post(&go_on);
    pthread_join(t, NULL);
    return data != 1;
}
