#include "cache.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <thread>

using namespace std::literals;

class CacheTest : public testing::Test {
protected:
    Cache<std::string, int> cache;
};

TEST_F(CacheTest, FindsWhatWasPut)
{
    EXPECT_EQ(cache.find("one"s), std::nullopt);
    cache.put("one"s, 1);
    EXPECT_EQ(cache.find("one"s), 1);
}

TEST_F(CacheTest, ReadersAndAWriter)
{
    std::thread writer([this] { cache.put("one"s, 1); });
    std::thread reader([this] { EXPECT_EQ(cache.find("one"s).value_or(1), 1); });
    EXPECT_FALSE(cache.find("two"s).has_value());
    writer.join();
    reader.join();
}

class CacheKeys : public testing::TestWithParam<int> {};

TEST_P(CacheKeys, AnyNumber)
{
    Cache<int, int> cache;
    std::thread other([&] { cache.put(GetParam(), 2); });
    cache.put(GetParam(), 1);
    other.join();
    EXPECT_GE(cache.find(GetParam()), 1);
}

INSTANTIATE_TEST_SUITE_P(Some, CacheKeys, testing::Values(0, -1));

TEST_F(CacheTest, ComputesOnce)
{
    std::atomic<int> computed{0};
    auto compute = [&] { return ++computed; };
    std::thread other([&] { cache.find_or_compute("one"s, compute); });
    cache.find_or_compute("one"s, compute);
    other.join();
    EXPECT_EQ(computed, 1);
}
