// Peterson's mutual exclusion with fences.  The first one orders the flag before the turn:
// without it the other thread may see the turn and not the flag.  Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_seq_cst /* fence: the flag is set before the turn */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_seq_cst /* fence: both are set before the other's flag is read */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_acquire /* load: the other is done */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_acquire /* load: the other is done with what was before */
#endif
#ifndef ORDER_5
#define ORDER_5 memory_order_release /* store: done */
#endif

static atomic_int flag[2], turn;
static int counter;

static void section(int me)
{
    int other = 1 - me;
    STORE(flag[me], 1, RELAXED);
    atomic_thread_fence(ORDER_1);
    STORE(turn, other, RELAXED);
    atomic_thread_fence(ORDER_2);
    while (LOAD(flag[other], ORDER_3) && LOAD(turn, ORDER_4) == other)
        ;
    counter++;
    STORE(flag[me], 0, ORDER_5);
}

static void *once(void *arg)
{
    section(0);
    return arg;
}

static void *twice(void *arg)
{
    section(1);
    section(1);
    return arg;
}

int main(void)
{
    run(2, (void *(*const[])(void *)){once, twice});
    assert(counter == 3);
    return 0;
}
