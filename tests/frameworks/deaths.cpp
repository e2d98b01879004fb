// Death tests: the child may die as it would elsewhere; what is undefined is an error in it,
// too.  See frameworks.py.
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

static int *nowhere;

static int divide(int a, int b)
{
    return a / b;
}

static int past(int n)
{
    int array[3] = {1, 2, 3};
    return array[n];
}

static void tell(const int *three)
{
    fprintf(stderr, "three is %d\n", *three);
    abort();
}

TEST(Dies, ByAbort)
{
    EXPECT_DEATH(abort(), "");
    EXPECT_EXIT(raise(SIGABRT), testing::KilledBySignal(SIGABRT), "");
}

TEST(Dies, ByAssertion)
{
    EXPECT_DEATH(assert(1 == 2), "Assertion .*1 == 2.* failed");
}

TEST(Dies, ByNull)
{
    EXPECT_EXIT(*nowhere = 1, testing::KilledBySignal(SIGSEGV), "");
}

TEST(Dies, ByDivision)
{
    EXPECT_EXIT(divide(1, nowhere != nullptr), testing::KilledBySignal(SIGFPE), "");
}

TEST(Dies, ByExit)
{
    EXPECT_EXIT(exit(3), testing::ExitedWithCode(3), "");
}

TEST(Dies, AndSaysWhy)
{
    int *kept = new int(3);
    ASSERT_DEATH(tell(kept), "three is 3");
    delete kept;
}

TEST(Fails, Alive)
{
    EXPECT_DEATH((void)nowhere, "");
}

TEST(Fails, OutOfBounds)
{
    EXPECT_DEATH(exit(past(nowhere == nullptr ? 3 : 0)), "");
}

TEST(Fails, InTheParent)
{
    EXPECT_DEATH(abort(), "");
    assert(nowhere);
}
