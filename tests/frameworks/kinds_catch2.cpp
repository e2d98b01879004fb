// Kinds of cases and failures of Catch2.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <stdexcept>

static int answer(bool good)
{
    if (!good)
        throw std::runtime_error("unforeseen");
    return 2;
}

TEST_CASE("may fail", "[!mayfail]")
{
    CHECK(answer(true) == 3);
}

TEST_CASE("should fail", "[!shouldfail]")
{
    CHECK(answer(true) == 3);
}

TEST_CASE("sections")
{
    int x = 1;
    SECTION("one")
    {
        CHECK(++x == 2);
    }
    SECTION("other")
    {
        CHECK(--x == 0);
    }
}

TEST_CASE("looks")
{
    CHECK_NOFAIL(answer(true) == 3);
    WARN("only a word");
}

TEST_CASE("throws as it should")
{
    REQUIRE_THROWS_AS(answer(false), std::runtime_error);
    REQUIRE_THROWS_WITH(answer(false), "unforeseen");
    REQUIRE_NOTHROW(answer(true));
}

TEST_CASE("throws")
{
    INFO("before it");
    CHECK(answer(false) == 2);
}

TEST_CASE("says why")
{
    FAIL("for a reason");
}

TEST_CASE("in the second section")
{
    int other = answer(true);
    SECTION("first")
    {
        CHECK(other == 2);
    }
    SECTION("second")
    {
        CHECK(other == 3);
    }
}

TEST_CASE("none is thrown")
{
    REQUIRE_THROWS(answer(true));
}
