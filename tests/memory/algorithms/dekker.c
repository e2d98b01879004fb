// Dekker's mutual exclusion with fences.  Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_seq_cst /* fence: the flag is set before the other's is read */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_seq_cst /* fence: the same, after giving way */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_acquire /* load: the other is done */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_release /* store: done */
#endif

static atomic_int flag[2], turn;
static int counter;

static void section(int me)
{
    int other = 1 - me;
    STORE(flag[me], 1, RELAXED);
    atomic_thread_fence(ORDER_1);
    while (LOAD(flag[other], ORDER_3)) {
        if (LOAD(turn, RELAXED) == me)
            continue;
        STORE(flag[me], 0, RELAXED);
        while (LOAD(turn, RELAXED) != me)
            ;
        STORE(flag[me], 1, RELAXED);
        atomic_thread_fence(ORDER_2);
    }
    counter++;
    STORE(turn, other, RELAXED);
    STORE(flag[me], 0, ORDER_4);
}

static void *once(void *arg)
{
    section(0);
    return arg;
}

static void *again(void *arg)
{
    section(1);
    return arg;
}

int main(void)
{
    run(2, (void *(*const[])(void *)){once, again});
    assert(counter == 2);
    return 0;
}
