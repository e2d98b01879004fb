// The lock of Mellor-Crummey and Scott: who waits has a node in a queue, and looks at its own
// node only.  Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_acq_rel /* rmw: the node is reset; the last holder is done */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_release /* store: the node says that it waits */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_acquire /* load: the holder before is done */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_acquire /* load: the next one's node says that it waits */
#endif
#ifndef ORDER_5
#define ORDER_5 memory_order_release /* rmw: done, and none waits */
#endif
#ifndef ORDER_6
#define ORDER_6 memory_order_release /* store: done, and the next one may go on */
#endif
enum { THREADS = 2 };

static struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
} nodes[THREADS];
static _Atomic(struct node *) last;
static int counter;

static void lock(struct node *node)
{
    STORE(node->next, NULL, RELAXED);
    STORE(node->waits, 1, RELAXED);
    struct node *before = EXCHANGE(last, node, ORDER_1);
    if (!before)
        return;
    STORE(before->next, node, ORDER_2);
    while (LOAD(node->waits, ORDER_3))
        ;
}

static void unlock(struct node *node)
{
    struct node *next = LOAD(node->next, ORDER_4), *mine = node;
    if (!next) {
        if (CAS(last, &mine, NULL, ORDER_5, RELAXED))
            return;
        while (!(next = LOAD(node->next, ORDER_4)))
            ;
    }
    STORE(next->waits, 0, ORDER_6);
}

static void *user(void *arg)
{
    struct node *node = &nodes[(intptr_t)arg];
    for (int k = 0; k < 2; k++) {
        lock(node);
        counter++;
        unlock(node);
    }
    return NULL;
}

int main(void)
{
    run(THREADS, (void *(*const[])(void *)){user, user});
    assert(counter == 2 * THREADS);
    return 0;
}
