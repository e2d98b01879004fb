// The lock of Craig, Landin and Hagersten: who waits looks at the node of the one before, and
// takes that node over.  Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_acq_rel /* rmw: its node is set, and so is the last one's */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_acquire /* load: the one before is done */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_release /* store: done */
#endif
enum { THREADS = 2 };

static atomic_int nodes[THREADS + 1];
static _Atomic(atomic_int *) last = &nodes[THREADS];
static int counter;

static void *user(void *arg)
{
    atomic_int *node = &nodes[(intptr_t)arg];
    for (int k = 0; k < 2; k++) {
        STORE(*node, 1, RELAXED);
        atomic_int *before = EXCHANGE(last, node, ORDER_1);
        while (LOAD(*before, ORDER_2))
            ;
        counter++;
        STORE(*node, 0, ORDER_3);
        node = before;
    }
    return NULL;
}

int main(void)
{
    run(THREADS, (void *(*const[])(void *)){user, user});
    assert(counter == 2 * THREADS);
    return 0;
}
