// A mutex by futex (Drepper: "Futexes are tricky"): 0 free, 1 held, 2 held and perhaps awaited.
// Result: correct.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_acquire /* rmw: the last holder is done */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_acquire /* rmw: the same, after waiting */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_release /* rmw: done */
#endif

static atomic_int mutex;
static int counter;

static void lock(void)
{
    int found = 0;
    if (CAS(mutex, &found, 1, ORDER_1, RELAXED))
        return;
    while (EXCHANGE(mutex, 2, ORDER_2) != 0)
        syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(void)
{
    if (EXCHANGE(mutex, 0, ORDER_3) == 2)
        syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *user(void *arg)
{
    lock();
    counter++;
    unlock();
    return arg;
}

int main(void)
{
    run(3, (void *(*const[])(void *)){user, user, user});
    assert(counter == 3);
    return 0;
}
