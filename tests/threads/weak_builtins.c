/* Every way in C to ask for an order, each with a weak one. Result: correct.
 * -DSTRONG has none: correct.
 * -DPASSED has some from parameters, with callers that pass strong ones only: correct.
 * -DFAILURE passes a weak one to a compare-exchange that fails: correct.
 * Expect: complete under C11's memory model \(weak_builtins.c:@first is acq_rel, and 6 more\)
 * Expect-STRONG: transitions, complete$
 * Expect-PASSED: transitions, complete$
 * Expect-FAILURE: complete under C11's memory model \(weak_builtins.c:@failure is acquire\)
 */
#include <stdatomic.h>

#if defined STRONG || defined PASSED || defined FAILURE
#define WEAK(order) memory_order_seq_cst
#else
#define WEAK(order) order
#endif

struct large {
    long at[4];
} large, copy;
int x, lock;
atomic_int y;
atomic_flag flag = ATOMIC_FLAG_INIT;

static void put(memory_order order)
{
    atomic_store_explicit(&y, 1, order);
}

static int exchange(int wanted, memory_order order, memory_order failure)
{
    return atomic_compare_exchange_weak_explicit(&y, &wanted, 1, order, failure); // @failure
}

int main(void)
{
    int wanted = 1;
    __atomic_fetch_add(&x, 1, WEAK(__ATOMIC_ACQ_REL)); // @first
    __atomic_compare_exchange_n(&x, &wanted, 2, 0, __ATOMIC_SEQ_CST, WEAK(__ATOMIC_RELAXED));
    (void)__atomic_load_n(&x, WEAK(__ATOMIC_CONSUME));
    __atomic_load(&large, &copy, WEAK(__ATOMIC_ACQUIRE));
    atomic_flag_test_and_set_explicit(&flag, WEAK(memory_order_acquire));
    atomic_flag_clear_explicit(&flag, WEAK(memory_order_release));
    __sync_lock_test_and_set(&lock, 1);
    if (WEAK(0) == 0)
        __sync_lock_release(&lock);
    __sync_fetch_and_add(&x, 1);
    atomic_thread_fence(memory_order_acquire);
    y++;
#ifdef PASSED
    put(memory_order_seq_cst);
    exchange(0, memory_order_seq_cst, memory_order_seq_cst);
#endif
#ifdef FAILURE
    exchange(0, memory_order_seq_cst, memory_order_acquire);
#endif
}
