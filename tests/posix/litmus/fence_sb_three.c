// Store buffering in a ring of three with SC fences: not all three read the old value.
// Result: correct.
// Outcomes r0 r1 r2: 001 010 011 100 101 110 111.
// -DNEVER=1..7 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y, z;
static int r0, r1, r2;

#define SIDE(name, own, other, result)                               \
    THREAD(name)                                                     \
    {                                                                \
        atomic_store_explicit(&own, 1, memory_order_relaxed);        \
        atomic_thread_fence(memory_order_seq_cst);                   \
        result = atomic_load_explicit(&other, memory_order_relaxed); \
        return arg;                                                  \
    }
SIDE(t0, x, y, r0)
SIDE(t1, y, z, r1)
SIDE(t2, z, x, r2)

int main(void)
{
    run(3, t0, t1, t2);
    OUTCOME(100 * r0 + 10 * r1 + r2, 1, 10, 11, 100, 101, 110, 111);
    return 0;
}
