// gtest.cpp - GoogleTest, and a listener that makes each failure an error where it
// happens: on the thread that failed, in the state that it failed in.  The children of
// death tests may die.
#include <unistd.h>

extern "C" void __os_may_die(void);

static pid_t fork_to_die()
{
    pid_t child = fork();
    if (child == 0)
        __os_may_die();
    return child;
}

#define fork fork_to_die
#include "src/gtest-all.cc"
#undef fork

#include <assert.h>
#include <stdio.h>

// As the C library of most systems says it, since tests expect that.
extern "C" void __assert_told(const char *expr, const char *file, int line, const char *func)
{
    if (testing::internal::InDeathTestChild())
        fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, func, expr);
}

namespace {

class Failure : public testing::EmptyTestEventListener
{
    void OnTestPartResult(const testing::TestPartResult &result) override
    {
        if (result.failed())
            __assert_fail(result.summary(), result.file_name() ? result.file_name() : "",
                          result.line_number(), "");
    }
};

struct Listen {
    Listen()
    {
        testing::UnitTest::GetInstance()->listeners().Append(new Failure);
    }
} listen;

} // namespace
