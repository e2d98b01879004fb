// doctest: two threads shut a door, and each expects to find it open.  Result: assertion
// violation.
// Learned: the state is a member of the fixture, Door, though doctest makes the object; the
// values in the condition are enumerators, as the source writes them.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cassert>
#include <mutex>
#include <thread>

enum class State { Open, Shut };

struct Door {
    void shut()
    {
        std::lock_guard<std::mutex> guard(lock);
        assert(state == State::Open);
        state = State::Shut;
    }

    std::mutex lock;
    State state = State::Open;
};

TEST_CASE_FIXTURE(Door, "is shut once")
{
    std::thread other([this] { shut(); });
    shut();
    other.join();
    CHECK(state == State::Shut);
}
