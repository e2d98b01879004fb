/* cmocka_cases.c - CMocka, which has no list of its tests and no way to pick one from
 * outside: the environment's DIVM_CMOCKA_LIST asks for the names of all, and
 * DIVM_CMOCKA_CASE names one to run, and stops where it fails. */
#define _cmocka_run_group_tests run_group
#include "cmocka.c"
#undef _cmocka_run_group_tests

#include <stdlib.h>
#include <string.h>

static int list(const struct CMUnitTest *tests, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (tests[k].test_func)
            printf("divm case: %s\n", tests[k].name);
    return 0;
}

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t n,
                            CMFixtureFunction setup, CMFixtureFunction teardown)
{
    const char *wanted = getenv("DIVM_CMOCKA_CASE");
    if (getenv("DIVM_CMOCKA_LIST"))
        return list(tests, n);
    if (!wanted)
        return run_group(name, tests, n, setup, teardown);
    setenv("CMOCKA_TEST_ABORT", "1", 1);
    int failed = 0;
    for (size_t k = 0; k < n; k++)
        if (tests[k].test_func && !strcmp(tests[k].name, wanted))
            failed += run_group(name, &tests[k], 1, setup, teardown);
    return failed;
}
