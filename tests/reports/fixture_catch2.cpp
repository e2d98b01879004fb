// Catch2: a fixture posts in two threads, and a function of an unnamed namespace looks too
// early.  Result: data race.
// Learned: the total is a member of the fixture, Ledger, though Catch2 makes the object; the
// test is called by the macro that the user wrote, and the function by its own name.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <mutex>
#include <thread>

struct Ledger {
    void post()
    {
        std::lock_guard<std::mutex> guard(lock);
        ++total;
    }

    std::mutex lock;
    int total = 0;
};

namespace
{
bool is_settled(const Ledger &ledger)
{
    return ledger.total > 0;
}
} // namespace

TEST_CASE_METHOD(Ledger, "posts")
{
    std::thread other([this] { post(); });
    post();
    CHECK(is_settled(*this));
    other.join();
}
