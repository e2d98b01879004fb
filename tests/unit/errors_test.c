/* errors_test.c - searches that go on after an error, over the toy programs of fake/vm.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "toy.h"

/* Three threads of one step: the sum may be 1 or 2 in place of 3, which are two errors, and the
 * way to each leads to it, on any number of workers. */
static void expect_all_errors(const struct check_options *options)
{
    struct check_result result;
    run("threads=3 steps=1 bug", options, &result);
    assert_int_equal(result.outcome, CHECK_ERROR);
    assert_int_equal(result.nmore, 1);
    assert_false(result.cut);
    struct vm_program *program = toy("threads=3 steps=1 bug");
    assert_int_equal(check_replay(program, &result.machine, &result.path, NULL, NULL, NULL),
                     result.path.n);
    assert_int_equal(check_replay(program, &result.machine, &result.more[0], NULL, NULL, NULL),
                     result.more[0].n);
    vm_unload(program);
    check_result_fini(&result);
}

static void test_all_errors(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 4; workers++) {
        struct check_options options = with_workers(workers);
        options.all_errors = true;
        expect_all_errors(&options);
        options.exact = true;
        expect_all_errors(&options);
    }
    struct check_options dfs = {.search = CHECK_DFS, .workers = 1, .all_errors = true};
    expect_all_errors(&dfs);
}

/* A limit is told beside the errors that were found before it. */
static void test_errors_and_limit(void **state)
{
    (void)state;
    struct check_options options = with_workers(1);
    struct check_result result;
    options.search = CHECK_DFS;
    options.all_errors = true;
    run("threads=3 steps=1 bug", &options, &result);
    options.max_states = result.stats.states - 1;
    check_result_fini(&result);
    run("threads=3 steps=1 bug", &options, &result);
    assert_int_equal(result.outcome, CHECK_ERROR);
    assert_true(result.cut);
    assert_int_equal(result.limit, CHECK_LIMIT_STATES);
    check_result_fini(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_errors),
        cmocka_unit_test(test_errors_and_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
