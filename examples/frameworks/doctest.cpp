// Tests of a stack, with doctest: each case is verified on its own.
//     divm verify examples/frameworks/doctest.cpp
// The first four are correct; "size" has a data race, and "top_or, with a pop" fails in
// some interleavings only.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "stack.hpp"

#include <thread>

TEST_CASE("empty")
{
    Stack stack;
    REQUIRE(stack.empty());
    REQUIRE_FALSE(stack.pop().has_value());
}

TEST_CASE("order")
{
    Stack stack;
    stack.push(1);
    stack.push(2);
    CHECK(stack.pop() == 2);
    CHECK(stack.pop() == 1);
}

TEST_CASE("two producers")
{
    Stack stack;
    std::thread other([&] { stack.push(1); });
    stack.push(2);
    other.join();
    REQUIRE(stack.pop().value() + stack.pop().value() == 3);
}

TEST_CASE("waits")
{
    Stack stack;
    std::thread other([&] { stack.push(1); });
    int value = stack.wait_and_pop();
    other.join();
    REQUIRE(value == 1);
}

TEST_CASE("size")
{
    Stack stack;
    std::thread other([&] { stack.push(1); });
    std::size_t size = stack.size();
    other.join();
    REQUIRE(size <= 1);
}

TEST_CASE("top_or, with a pop")
{
    Stack stack;
    stack.push(1);
    std::thread other([&] { stack.pop(); });
    int top = stack.top_or(0);
    other.join();
    REQUIRE(top >= 0);
}
