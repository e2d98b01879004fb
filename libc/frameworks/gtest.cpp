// gtest.cpp - GoogleTest, and a listener that makes each failure an error where it
// happens: on the thread that failed, in the state that it failed in.
#include "src/gtest-all.cc"

#include <assert.h>

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
