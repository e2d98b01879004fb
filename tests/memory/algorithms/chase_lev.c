// The work-stealing deque of Chase and Lev with the fences of Le, Pop, Cohen and Zappa Nardelli
// (PPoPP 2013): the owner pushes two items and takes them, a thief steals; none is taken twice
// or lost.  Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_release /* fence: push: the item is written */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_seq_cst /* fence: take: bottom lowered before top is read */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_seq_cst /* fence: steal: top read before bottom */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_acquire /* load: steal: items below it have been written */
#endif
#ifndef ORDER_5
#define ORDER_5 memory_order_acquire /* load: steal: the top */
#endif
#ifndef ORDER_6
#define ORDER_6 memory_order_seq_cst /* rmw: take: the last item */
#endif
#ifndef ORDER_7
#define ORDER_7 memory_order_seq_cst /* rmw: steal: an item */
#endif
enum { PLACES = 4, ITEMS = 2 };

static atomic_int top, bottom;
static _Atomic(int *) ring[PLACES];
static int items[ITEMS];
static atomic_int taken[ITEMS];

static void push(int *item)
{
    int b = LOAD(bottom, RELAXED);
    STORE(ring[b % PLACES], item, RELAXED);
    atomic_thread_fence(ORDER_1);
    STORE(bottom, b + 1, RELAXED);
}

static int *take(void)
{
    int b = LOAD(bottom, RELAXED) - 1;
    STORE(bottom, b, RELAXED);
    atomic_thread_fence(ORDER_2);
    int t = LOAD(top, RELAXED);
    int *item = NULL;
    if (t <= b) {
        item = LOAD(ring[b % PLACES], RELAXED);
        if (t < b)
            return item;
        if (!CAS(top, &t, t + 1, ORDER_6, RELAXED))
            item = NULL;
    }
    STORE(bottom, b + 1, RELAXED);
    return item;
}

static int *steal(void)
{
    int t = LOAD(top, ORDER_5);
    atomic_thread_fence(ORDER_3);
    int b = LOAD(bottom, ORDER_4);
    if (t >= b)
        return NULL;
    int *item = LOAD(ring[t % PLACES], RELAXED);
    return CAS(top, &t, t + 1, ORDER_7, RELAXED) ? item : NULL;
}

static void use(const int *item)
{
    if (item) {
        int k = (int)(item - items);
        assert(*item == k + 1);
        assert(ADD(taken[k], 1, RELAXED) == 0);
    }
}

static void *owner(void *arg)
{
    for (int k = 0; k < ITEMS; k++) {
        items[k] = k + 1;
        push(&items[k]);
    }
    for (int k = 0; k < ITEMS; k++)
        use(take());
    return arg;
}

static void *thief(void *arg)
{
    use(steal());
    use(steal());
    return arg;
}

int main(void)
{
    run(2, (void *(*const[])(void *)){owner, thief});
    for (int k = 0; k < ITEMS; k++)
        assert(LOAD(taken[k], RELAXED) == 1);
    return 0;
}
