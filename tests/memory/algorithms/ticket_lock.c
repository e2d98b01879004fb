// A lock by tickets: three threads draw one each and wait until theirs is served.  Result:
// correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_acquire /* load: the holder before is done */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_release /* store: done */
#endif

static atomic_int drawn, served;
static int counter;

static void *user(void *arg)
{
    int mine = ADD(drawn, 1, RELAXED);
    while (LOAD(served, ORDER_1) != mine)
        ;
    counter++;
    STORE(served, mine + 1, ORDER_2);
    return arg;
}

int main(void)
{
    run(3, (void *(*const[])(void *)){user, user, user});
    assert(counter == 3);
    return 0;
}
