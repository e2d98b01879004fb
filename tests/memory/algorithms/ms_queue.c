// The queue of Michael and Scott: two threads put in an item each, and one or two take them
// out. Nodes are released at the end only.  Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_acquire /* load: put: the last node has been written */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_acquire /* load: put: so has the one behind it */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_release /* rmw: put: the node is written */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_release /* rmw: put: for who finds it as the last */
#endif
#ifndef ORDER_5
#define ORDER_5 memory_order_release /* rmw: put: another's, for who finds it as the last */
#endif
#ifndef ORDER_6
#define ORDER_6 memory_order_acquire /* load: get: the first node has been written */
#endif
#ifndef ORDER_7
#define ORDER_7 memory_order_acquire /* load: get: so has the next one */
#endif
#ifndef ORDER_8
#define ORDER_8 memory_order_release /* rmw: get: for who finds it as the first */
#endif
#ifndef ORDER_9
#define ORDER_9 memory_order_release /* rmw: get: for who finds it as the last */
#endif

struct node {
    _Atomic(struct node *) next;
    int value;
};
static _Atomic(struct node *) head, tail;
static struct node *first;

static struct node *make(int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    atomic_init(&node->next, NULL);
    node->value = value;
    return node;
}

static void put(int value)
{
    struct node *node = make(value);
    while (1) {
        struct node *last = LOAD(tail, ORDER_1), *next = LOAD(last->next, ORDER_2);
        if (next) {
            CAS(tail, &last, next, ORDER_5, RELAXED);
        } else if (CAS(last->next, &next, node, ORDER_3, RELAXED)) {
            CAS(tail, &last, node, ORDER_4, RELAXED);
            return;
        }
    }
}

static int get(void)
{
    while (1) {
        struct node *old = LOAD(head, ORDER_6), *next = LOAD(old->next, ORDER_7);
        struct node *last = LOAD(tail, RELAXED);
        if (!next)
            return 0;
        if (last == old)
            CAS(tail, &last, next, ORDER_9, RELAXED);
        int value = next->value;
        if (CAS(head, &old, next, ORDER_8, RELAXED))
            return value;
    }
}

static int got[2];

static void *putter(void *arg)
{
    put(1);
    return arg;
}

static void *getter(void *arg)
{
    got[0] = get();
    return arg;
}

static void *both(void *arg)
{
    put(2);
    got[1] = get();
    return arg;
}

int main(void)
{
    first = make(0);
    atomic_init(&head, first);
    atomic_init(&tail, first);
    run(3, (void *(*const[])(void *)){putter, getter, both});
    int left = 0;
    for (int value; (value = get());)
        left += value;
    assert(got[0] + got[1] + left == 3);
    while (first) {
        struct node *next = LOAD(first->next, RELAXED);
        free(first);
        first = next;
    }
    return 0;
}
