/* Tests of a counter, with CMocka: each case is verified on its own.
 *     divm verify examples/frameworks/cmocka.c
 * The first four are correct; read_unlocked has a data race, and add_in_two_steps fails
 * in some interleavings only. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static int get(struct counter *counter)
{
    pthread_mutex_lock(&counter->lock);
    int value = counter->value;
    pthread_mutex_unlock(&counter->lock);
    return value;
}

static void set(struct counter *counter, int value)
{
    pthread_mutex_lock(&counter->lock);
    counter->value = value;
    pthread_mutex_unlock(&counter->lock);
}

static void *add(void *arg)
{
    struct counter *counter = arg;
    pthread_mutex_lock(&counter->lock);
    counter->value++;
    pthread_mutex_unlock(&counter->lock);
    return NULL;
}

static void *add_slowly(void *arg)
{
    set(arg, get(arg) + 1);
    return NULL;
}

static void run_two(void *(*work)(void *), struct counter *counter)
{
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, work, counter);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
}

static void starts_at_zero(void **state)
{
    (void)state;
    struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0};
    assert_int_equal(get(&counter), 0);
}

static void is_set(void **state)
{
    (void)state;
    struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0};
    set(&counter, 7);
    assert_int_equal(get(&counter), 7);
}

static void adds(void **state)
{
    (void)state;
    struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0};
    add(&counter);
    assert_int_equal(get(&counter), 1);
}

static void two_threads_add(void **state)
{
    (void)state;
    struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0};
    run_two(add, &counter);
    assert_int_equal(get(&counter), 2);
}

static void read_unlocked(void **state)
{
    (void)state;
    struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, add, &counter);
    assert_in_range(counter.value, 0, 1);
    pthread_join(thread, NULL);
}

static void add_in_two_steps(void **state)
{
    (void)state;
    struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0};
    run_two(add_slowly, &counter);
    assert_int_equal(get(&counter), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_at_zero), cmocka_unit_test(is_set),
        cmocka_unit_test(adds),           cmocka_unit_test(two_threads_add),
        cmocka_unit_test(read_unlocked),  cmocka_unit_test(add_in_two_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
