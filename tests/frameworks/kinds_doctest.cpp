// Kinds of cases and failures of doctest, which is included first and implemented then.
#include <doctest/doctest.h>

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <stdexcept>

static int answer(bool good)
{
    if (!good)
        throw std::runtime_error("unforeseen");
    return 2;
}

TEST_CASE("may fail" * doctest::may_fail())
{
    CHECK(answer(true) == 3);
}

TEST_CASE("should fail" * doctest::should_fail())
{
    CHECK(answer(true) == 3);
}

TEST_CASE("fails once" * doctest::expected_failures(1))
{
    CHECK(answer(true) == 3);
    CHECK(answer(true) == 2);
}

TEST_CASE("subcases")
{
    int x = 1;
    SUBCASE("one")
    {
        CHECK(++x == 2);
    }
    SUBCASE("other")
    {
        CHECK(--x == 0);
    }
}

TEST_CASE("warns")
{
    WARN(answer(true) == 3);
    MESSAGE("only a word");
}

TEST_CASE("throws as it should")
{
    REQUIRE_THROWS_AS(answer(false), std::runtime_error);
    REQUIRE_THROWS_WITH(answer(false), "unforeseen");
    REQUIRE_NOTHROW(answer(true));
}

TEST_CASE("throws")
{
    answer(false);
}

TEST_CASE("throws in a subcase")
{
    SUBCASE("only")
    {
        throw std::runtime_error("in a subcase");
    }
}

TEST_CASE("says why")
{
    FAIL("for a reason");
}

TEST_CASE("in the second subcase")
{
    int other = answer(true);
    SUBCASE("first")
    {
        CHECK(other == 2);
    }
    SUBCASE("second")
    {
        CHECK(other == 3);
    }
}

TEST_CASE("none is thrown")
{
    REQUIRE_THROWS(answer(true));
}

int main(int argc, char **argv)
{
    return doctest::Context(argc, argv).run();
}
