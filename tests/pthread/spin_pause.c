// What spin locks contain: pause, an empty barrier for the compiler, sched_yield, and glibc's
// old name of that.
//
// Result: correct.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int shared;

static void acquire(void)
{
    while (atomic_flag_test_and_set(&lock)) {
        __asm__ volatile("pause" ::: "memory");
        __asm__ volatile("" ::: "memory");
        __builtin_ia32_pause();
        sched_yield();
        pthread_yield();
    }
}

static void *work(void *arg)
{
    acquire();
    ++shared;
    atomic_flag_clear(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return shared - 2;
}
