// A lock made of the system call itself.  Result: correct.
// -DBUG forgets to wake: deadlock.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int count;

static void lock(void)
{
    int old = 0;
    if (atomic_compare_exchange_strong(&word, &old, 1))
        return;
    while (atomic_exchange(&word, 2))
        syscall(SYS_futex, &word, FUTEX_WAIT, 2, NULL);
}

static void unlock(void)
{
    if (atomic_exchange(&word, 0) == 2) {
#ifndef BUG
        syscall(SYS_futex, &word, FUTEX_WAKE, 1);
#endif
    }
}

static void *work(void *arg)
{
    lock();
    count++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(count == 2);
    return 0;
}
