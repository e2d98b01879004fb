// An event count: who finds nothing to do says that it is about to wait, looks once more, and
// waits for the number of events to change.  No event is missed.  Result: correct.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_seq_cst /* fence: the waiter is counted before it looks again */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_acquire /* load: the work has been written */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_release /* store: the work is written */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_seq_cst /* fence: the work is there before waiters are read */
#endif

static atomic_int events, waiters, ready;
static int work[2];

static void give(int k)
{
    work[k - 1] = k;
    STORE(ready, k, ORDER_3);
    atomic_thread_fence(ORDER_4);
    if (LOAD(waiters, RELAXED)) {
        ADD(events, 1, RELAXED);
        syscall(SYS_futex, &events, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

static void *giver(void *arg)
{
    give(1);
    give(2);
    return arg;
}

static void *taker(void *arg)
{
    for (int k = 1; k <= 2; k++) {
        while (LOAD(ready, ORDER_2) < k) {
            ADD(waiters, 1, RELAXED);
            int seen = LOAD(events, RELAXED);
            atomic_thread_fence(ORDER_1);
            if (LOAD(ready, RELAXED) < k)
                syscall(SYS_futex, &events, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
            ADD(waiters, -1, RELAXED);
        }
        assert(work[k - 1] == k);
    }
    return arg;
}

int main(void)
{
    run(2, (void *(*const[])(void *)){giver, taker});
    return 0;
}
