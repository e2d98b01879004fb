// Every C11 atomic operation, in one thread and then against another.
// Result: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x;
static atomic_uchar small;
static atomic_long wide;
static _Atomic(int *) pointer;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_bool truth;
static int array[4];

static void *other(void *arg)
{
    while (atomic_flag_test_and_set(&flag))
        ;
    atomic_fetch_add(&x, 1);
    atomic_flag_clear(&flag);
    return arg;
}

static void sequential(void)
{
    atomic_init(&x, 5);
    assert(atomic_fetch_add(&x, 3) == 5 && atomic_fetch_sub(&x, 1) == 8);
    assert(atomic_fetch_and(&x, 6) == 7 && atomic_fetch_or(&x, 9) == 6);
    assert(atomic_fetch_xor(&x, 3) == 15 && atomic_load(&x) == 12);
    assert(atomic_exchange(&x, 1) == 12 && x == 1);
    int expected = 2;
    assert(!atomic_compare_exchange_strong(&x, &expected, 9) && expected == 1);
    assert(atomic_compare_exchange_strong(&x, &expected, 9) && x == 9);
    expected = 9;
    while (!atomic_compare_exchange_weak(&x, &expected, 0))
        assert(expected == 9);
    atomic_store(&small, 255);
    assert(++small == 0 && --small == 255 && (small += 2) == 1);
    atomic_store(&wide, INT64_MAX);
    assert(atomic_fetch_add(&wide, 1) == INT64_MAX && wide == INT64_MIN);
    atomic_store(&pointer, array);
    assert(atomic_fetch_add(&pointer, 2) == array && pointer == array + 2);
    assert(!truth && !atomic_exchange(&truth, 1) && truth);
    assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    assert(atomic_is_lock_free(&x));
}

int main(void)
{
    pthread_t t;
    sequential();
    pthread_create(&t, NULL, other, NULL);
    other(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
