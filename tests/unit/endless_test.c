/* endless_test.c - states from which no end can be reached (checker/search/endless.h), in toy
 * programs of fake/vm.c with threads that begin again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "toy.h"

enum { ENDS, NEVER_ENDS };

static void expect(const char *args, const struct check_options *options, int end)
{
    struct check_result result;
    run(args, options, &result);
    assert_int_equal(result.outcome, end == ENDS ? CHECK_OK : CHECK_ERROR);
    if (end == NEVER_ENDS) {
        assert_true(result.path.n > 0);
        assert_true(result.path.steps[result.path.n - 1].endless);
    }
    check_result_fini(&result);
}

/* By levels on any number of workers, with states kept whole, and depth first. */
static void expect_everywhere(const char *args, int end)
{
    for (unsigned workers = 1; workers <= 4; workers++) {
        struct check_options options = with_workers(workers);
        expect(args, &options, end);
        options.exact = true;
        expect(args, &options, end);
        options.allow_endless = true;
        expect(args, &options, ENDS);
    }
    struct check_options dfs = {.search = CHECK_DFS, .workers = 1};
    expect(args, &dfs, end);
}

/* A thread that always begins again keeps the program from ending, alone or beside others. */
static void test_no_end(void **state)
{
    (void)state;
    expect_everywhere("threads=1 steps=1 turns=1", NEVER_ENDS);
    expect_everywhere("threads=1 steps=5 turns=1", NEVER_ENDS);
    expect_everywhere("threads=2 steps=3 turns=1", NEVER_ENDS);
    expect_everywhere("threads=3 steps=3 turns=2", NEVER_ENDS);
    expect_everywhere("threads=3 steps=2 turns=3 boot=2", NEVER_ENDS);
}

/* A thread that can choose to go on has an end, whatever cycles its states are in. */
static void test_cycles_with_an_end(void **state)
{
    (void)state;
    expect_everywhere("threads=2 steps=3", ENDS);
    expect_everywhere("threads=1 steps=4 turns=1 assume", ENDS);
    expect_everywhere("threads=3 steps=3 turns=2 assume", ENDS);
    expect_everywhere("threads=3 steps=2 turns=3 assume boot=3", ENDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_end),
        cmocka_unit_test(test_cycles_with_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
