// catch.hpp - Catch2 as it is installed, and where its main is, a listener that makes
// each failure an error where it happens: on the thread that failed, in the state that it
// failed in.
#pragma once

#include "../installed/catch2/catch.hpp"

#if (defined(CATCH_CONFIG_MAIN) || defined(CATCH_CONFIG_RUNNER)) && \
    !defined(CATCH_CONFIG_DISABLE)

#include <assert.h>
#include <string>

namespace divm
{

class Failure : public Catch::TestEventListenerBase
{
    bool may_fail = false;

    static std::string text_of(const Catch::AssertionStats &stats)
    {
        const Catch::AssertionResult &result = stats.assertionResult;
        std::string text = result.hasExpression() ? result.getExpressionInMacro() : "";
        if (result.hasExpandedExpression())
            text += " with expansion " + result.getExpandedExpression();
        for (const Catch::MessageInfo &info : stats.infoMessages) // its own is the last
            text += (text.empty() ? "" : "; ") + info.message;
        return text;
    }

  public:
    using TestEventListenerBase::TestEventListenerBase;

    void testCaseStarting(const Catch::TestCaseInfo &info) override
    {
        TestEventListenerBase::testCaseStarting(info);
        may_fail = info.okToFail();
    }

    bool assertionEnded(const Catch::AssertionStats &stats) override
    {
        const Catch::SourceLineInfo place = stats.assertionResult.getSourceInfo();
        if (!stats.assertionResult.isOk() && !may_fail)
            __assert_fail(text_of(stats).c_str(), place.file, static_cast<int>(place.line), "");
        return true;
    }
};

static Catch::ListenerRegistrar<Failure> failure;

} // namespace divm

#endif
