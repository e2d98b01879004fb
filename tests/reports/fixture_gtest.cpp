// GoogleTest: a fixture counts in two threads, and the test looks too
// early.  Result: data race.
// Learned: sum is a member of the fixture, as is the mutex: it is written with the lock held,
// and read without it.
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

class FixtureTest : public ::testing::Test
{
  protected:
    void add()
    {
        std::lock_guard<std::mutex> guard(mutex);
        ++sum;
    }

    std::mutex mutex;
    int sum = 0;
};

TEST_F(FixtureTest, Adds)
{
    std::thread other([this] { add(); });
    add();
    EXPECT_LE(1, sum);
    other.join();
}
