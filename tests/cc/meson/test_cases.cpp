#include "counter.h"

#include <gtest/gtest.h>
#include <thread>

TEST(Counter, TwoThreads)
{
    int before = counter_value();
    std::thread other([] { counter_add(1); });
    counter_add(2);
    other.join();
    EXPECT_EQ(counter_value(), before + 3);
}

TEST(Counter, AddsInTwoSteps)
{
    int before = counter_value();
    std::thread other([] { counter_add(counter_value() + 1); });
    counter_add(1);
    other.join();
    EXPECT_EQ(counter_value(), before + 2);
}
