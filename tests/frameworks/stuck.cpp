// Tests whose threads wait for ever: no death of a process, though some may die.
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

static std::mutex m;

TEST(Stuck, Twice)
{
    std::thread t([] {
        m.lock();
        m.lock();
    });
    t.join();
}

TEST(Stuck, Not)
{
    EXPECT_DEATH(
        {
            std::lock_guard lock(m);
            abort();
        },
        "");
}
