// listen_doctest.hpp - a listener that makes each failure an error where it happens.
#pragma once

#include <assert.h>
#include <exception>
#include <string>

namespace divm
{

class Failure : public doctest::IReporter
{
    const doctest::TestCaseData *test = nullptr;

    void fail(const std::string &text, const char *file, int line) const
    {
        if (!test || (!test->m_may_fail && !test->m_should_fail && !test->m_expected_failures))
            __assert_fail(text.c_str(), file, line, "");
    }

  public:
    explicit Failure(const doctest::ContextOptions &)
    {
    }

    void test_case_start(const doctest::TestCaseData &data) override
    {
        test = &data;
    }

    void log_assert(const doctest::AssertData &data) override
    {
        if (!data.m_failed || (data.m_at & doctest::assertType::is_warn))
            return;
        std::string text =
            std::string(doctest::assertString(data.m_at)) + "( " + data.m_expr + " )";
        if (data.m_threw)
            text += std::string(" threw ") + data.m_exception.c_str();
        else if (data.m_at & doctest::assertType::is_normal)
            text += std::string(" with values ") + data.m_decomp.c_str();
        else
            text += " did not throw what it should";
        fail(text, data.m_file, data.m_line);
    }

    void log_message(const doctest::MessageData &data) override
    {
        if (!(data.m_severity & doctest::assertType::is_warn))
            fail(data.m_string.c_str(), data.m_file, data.m_line);
    }

    // While it unwinds it is not known yet what was thrown.
    void test_case_exception(const doctest::TestCaseException &thrown) override
    {
        if (std::uncaught_exceptions() != 0 || !test)
            return;
        std::string file = test->m_file.c_str();
        fail(std::string("exception: ") + thrown.error_string.c_str() +
                 " in the test case at " + file.substr(file.rfind('/') + 1) + ":" +
                 std::to_string(test->m_line),
             file.c_str(), static_cast<int>(test->m_line));
    }

    void report_query(const doctest::QueryData &) override
    {
    }
    void test_run_start() override
    {
    }
    void test_run_end(const doctest::TestRunStats &) override
    {
    }
    void test_case_reenter(const doctest::TestCaseData &) override
    {
    }
    void test_case_end(const doctest::CurrentTestCaseStats &) override
    {
    }
    void subcase_start(const doctest::SubcaseSignature &) override
    {
    }
    void subcase_end() override
    {
    }
    void test_case_skipped(const doctest::TestCaseData &) override
    {
    }
};

static const int failure = doctest::registerReporter<Failure>("divm", 1, false);

} // namespace divm
