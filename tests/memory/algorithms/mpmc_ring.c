// A ring for many producers and consumers, whose places have numbers that tell whose turn it is
// (Vyukov): two producers and a consumer, over more items than places.  Result: correct.
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
enum { PLACES = 2, TRIES = 3 };

static struct {
    atomic_uint turn;
    int value;
} ring[PLACES] = {{0, 0}, {1, 0}};
static atomic_uint in, out;

static int put(int value)
{
    unsigned at = LOAD(in, RELAXED);
    while (1) {
        unsigned turn = LOAD(ring[at % PLACES].turn, ORDER_1);
        if (turn == at && CAS(in, &at, at + 1, RELAXED, RELAXED))
            break;
        if (turn < at)
            return 0;
        at = LOAD(in, RELAXED);
    }
    ring[at % PLACES].value = value;
    STORE(ring[at % PLACES].turn, at + 1, ORDER_2);
    return 1;
}

static int get(void)
{
    unsigned at = LOAD(out, RELAXED);
    while (1) {
        unsigned turn = LOAD(ring[at % PLACES].turn, ORDER_3);
        if (turn == at + 1 && CAS(out, &at, at + 1, RELAXED, RELAXED))
            break;
        if (turn < at + 1)
            return 0;
        at = LOAD(out, RELAXED);
    }
    int value = ring[at % PLACES].value;
    STORE(ring[at % PLACES].turn, at + PLACES, ORDER_4);
    return value;
}

static int given[3], taken;

static void *producer(void *arg)
{
    int me = (int)(intptr_t)arg;
    given[me] = put(me + 1) * (me + 1);
    return NULL;
}

static void *both(void *arg)
{
    given[2] = put(3) * 3;
    for (int k = 0; k < TRIES; k++)
        taken += get();
    return arg;
}

int main(void)
{
    run(3, (void *(*const[])(void *)){producer, producer, both});
    int left = 0;
    for (int value; (value = get());)
        left += value;
    assert(taken + left == given[0] + given[1] + given[2]);
    return 0;
}
