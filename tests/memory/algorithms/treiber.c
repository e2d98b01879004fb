// Treiber's stack of numbered nodes, whose head counts its changes, so that a node that came
// back is not taken for the same: two threads pop a node, use it and push it again.  Result:
// correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_release /* rmw: the node is written */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_acquire /* load: the node has been written */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_acquire /* load: so has another's */
#endif
enum { NODES = 2, NODE = 255, CHANGE = 256 };

static struct {
    atomic_uint next;
    int value;
} nodes[NODES + 1];
static atomic_uint head; /* the number of a node, 0: none; and of changes */

static void push(unsigned node)
{
    unsigned old = LOAD(head, RELAXED);
    do
        STORE(nodes[node].next, old & NODE, RELAXED);
    while (!CAS(head, &old, (old & ~(unsigned)NODE) + CHANGE + node, ORDER_1, RELAXED));
}

static unsigned pop(void)
{
    unsigned old = LOAD(head, ORDER_2), node, next;
    do {
        node = old & NODE;
        if (!node)
            return 0;
        next = LOAD(nodes[node].next, RELAXED);
    } while (!CAS(head, &old, (old & ~(unsigned)NODE) + CHANGE + next, RELAXED, ORDER_3));
    return node;
}

static void *user(void *arg)
{
    unsigned node = pop();
    if (node) {
        nodes[node].value++;
        push(node);
    }
    return arg;
}

static void *twice(void *arg)
{
    user(arg);
    return user(arg);
}

int main(void)
{
    push(1);
    push(2);
    run(2, (void *(*const[])(void *)){user, twice});
    unsigned first = pop(), second = pop();
    assert(first != second && first + second == 3 && !pop());
    assert(nodes[1].value + nodes[2].value == 3);
    return 0;
}
