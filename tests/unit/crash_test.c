/* crash_test.c - work that crashes. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "checker/build/crash.h"

static void do_nothing(void *context)
{
    *(int *)context += 1;
}

static void run_into_it(void *context)
{
    *(int *)context += 1;
    raise(SIGSEGV);
}

static void give_up(void *context)
{
    *(int *)context += 1;
    abort();
}

/* Uses up its stack. */
static uint64_t descend(volatile uint64_t *n)
{
    volatile uint64_t room[512] = {*n};
    *n += 1;
    return *n ? descend(n) + room[*n % 512] : 0;
}

static void overflow(void *context)
{
    volatile uint64_t n = 0;
    *(int *)context += 1;
    descend(&n);
}

/* Work that ends has survived, also after some that has not. */
static void a_crash_is_survived(void **unused)
{
    int n = 0;
    (void)unused;
    assert_true(crash_survived(do_nothing, &n));
    assert_false(crash_survived(run_into_it, &n));
    assert_false(crash_survived(give_up, &n));
    assert_false(crash_survived(overflow, &n));
    assert_false(crash_survived(overflow, &n));
    assert_true(crash_survived(do_nothing, &n));
    assert_int_equal(n, 6);
}

/* What handled crashes before does so afterwards. */
static void handlers_come_back(void **unused)
{
    struct sigaction before, after;
    int n = 0;
    (void)unused;
    sigaction(SIGSEGV, NULL, &before);
    crash_survived(run_into_it, &n);
    sigaction(SIGSEGV, NULL, &after);
    assert_ptr_equal((void *)before.sa_handler, (void *)after.sa_handler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crash_is_survived),
        cmocka_unit_test(handlers_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
