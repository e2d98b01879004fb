// A sequence lock (Boehm: "Can seqlocks get along with programming language memory models?",
// MSPC 2012): a reader that finds the same even number before and after has read one version.
// Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_release /* fence: the number is odd before the data changes */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_release /* store: the data is written */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_acquire /* load: the data of this number has been written */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_acquire /* fence: the number is read again after the data */
#endif

static atomic_int number, a, b;

static void *writer(void *arg)
{
    for (int k = 1; k <= 2; k++) {
        STORE(number, 2 * k - 1, RELAXED);
        atomic_thread_fence(ORDER_1);
        STORE(a, k, RELAXED);
        STORE(b, k, RELAXED);
        STORE(number, 2 * k, ORDER_2);
    }
    return arg;
}

static void *reader(void *arg)
{
    int before = LOAD(number, ORDER_3);
    int seen_a = LOAD(a, RELAXED), seen_b = LOAD(b, RELAXED);
    atomic_thread_fence(ORDER_4);
    if (before % 2 == 0 && LOAD(number, RELAXED) == before)
        assert(seen_a == seen_b && seen_a == before / 2);
    return arg;
}

int main(void)
{
    run(2, (void *(*const[])(void *)){writer, reader});
    return 0;
}
