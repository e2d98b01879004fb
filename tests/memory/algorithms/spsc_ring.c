// A ring of two places between a producer and a consumer: what is put in is taken out, in
// order. Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_acquire /* load: the place has been read */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_release /* store: the place is written */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_acquire /* load: the place has been written */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_release /* store: the place is read */
#endif
enum { PLACES = 2, ITEMS = 4 };

static int ring[PLACES];
static atomic_uint head, tail;

static void *producer(void *arg)
{
    for (unsigned k = 0; k < ITEMS; k++) {
        while (k - LOAD(tail, ORDER_1) == PLACES)
            ;
        ring[k % PLACES] = (int)k + 1;
        STORE(head, k + 1, ORDER_2);
    }
    return arg;
}

static void *consumer(void *arg)
{
    for (unsigned k = 0; k < ITEMS; k++) {
        while (LOAD(head, ORDER_3) == k)
            ;
        assert(ring[k % PLACES] == (int)k + 1);
        STORE(tail, k + 1, ORDER_4);
    }
    return arg;
}

int main(void)
{
    run(2, (void *(*const[])(void *)){producer, consumer});
    return 0;
}
