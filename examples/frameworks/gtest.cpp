// Tests of a stack, with GoogleTest: each case is verified on its own.
//     divm verify examples/frameworks/gtest.cpp
// Empty, Order, TwoProducers and Waits are correct; Stack.Size has a data race, and
// Stack.TopOr fails in some interleavings only.
#include "stack.hpp"

#include <gtest/gtest.h>
#include <thread>

TEST(Stack, Empty)
{
    Stack stack;
    EXPECT_TRUE(stack.empty());
    EXPECT_FALSE(stack.pop().has_value());
}

TEST(Stack, Order)
{
    Stack stack;
    stack.push(1);
    stack.push(2);
    EXPECT_EQ(stack.pop(), 2);
    EXPECT_EQ(stack.pop(), 1);
}

TEST(Stack, TwoProducers)
{
    Stack stack;
    std::thread other([&] { stack.push(1); });
    stack.push(2);
    other.join();
    EXPECT_EQ(stack.pop().value() + stack.pop().value(), 3);
}

TEST(Stack, Waits)
{
    Stack stack;
    std::thread other([&] { stack.push(1); });
    EXPECT_EQ(stack.wait_and_pop(), 1);
    other.join();
}

TEST(Stack, Size)
{
    Stack stack;
    std::thread other([&] { stack.push(1); });
    EXPECT_LE(stack.size(), 1u);
    other.join();
}

TEST(Stack, TopOr)
{
    Stack stack;
    stack.push(1);
    std::thread other([&] { stack.pop(); });
    int top = stack.top_or(0);
    EXPECT_TRUE(top == 0 || top == 1) << "top is " << top;
    other.join();
}
