#include "pool.hpp"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

TEST(Pool, DoesAllBeforeItEnds)
{
    std::atomic<int> done{0};
    {
        Pool pool(2);
        pool.give([&] { done += 1; });
        pool.give([&] { done += 2; });
    }
    EXPECT_EQ(done, 3);
}

TEST(Pool, EndsWithoutWork)
{
    Pool pool(2);
}

TEST(Pool, WorkMayGiveWork)
{
    std::vector<int> order;
    {
        Pool pool(1);
        pool.give([&] {
            order.push_back(1);
            pool.give([&] { order.push_back(2); });
        });
    }
    EXPECT_THAT(order, testing::ElementsAre(1, 2));
}

TEST(Pool, TellsWhatWaits)
{
    Pool pool(1);
    pool.give([] {});
    EXPECT_LE(pool.waiting(), 1u);
}
