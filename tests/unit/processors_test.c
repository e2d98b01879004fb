/* processors_test.c - threads that stay on a processor. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checker/search/processors.h"

static void *stay(void *arg)
{
    processors_stay(*(unsigned *)arg);
    return (void *)(uintptr_t)(processors_count() == 1 ? sched_getcpu() : -1);
}

/* The processor of a thread that stays on the k-th. */
static int processor_of(unsigned k)
{
    pthread_t thread;
    void *processor;
    assert_int_equal(pthread_create(&thread, NULL, stay, &k), 0);
    assert_int_equal(pthread_join(thread, &processor), 0);
    return (int)(intptr_t)processor;
}

/* Each has one of its own, as many as there are; then they begin anew. */
static void each_has_its_own(void **unused)
{
    unsigned n = processors_count();
    int before = -1;
    (void)unused;
    for (unsigned k = 0; k < n; k++) {
        int processor = processor_of(k);
        assert_true(processor > before);
        assert_int_equal(processor_of(k + n), processor);
        before = processor;
    }
}

static void others_are_free(void **unused)
{
    unsigned n = processors_count();
    (void)unused;
    assert_in_range(n, 1, CPU_SETSIZE);
    processor_of(n - 1);
    assert_int_equal(processors_count(), n);
    assert_in_range(processors_present(), 0, n - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_its_own),
        cmocka_unit_test(others_are_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
