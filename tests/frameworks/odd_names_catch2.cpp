// Names that Catch2's own patterns could misunderstand; one of two lines cannot be asked
// for, and that does not go unnoticed.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

TEST_CASE("fine")
{
    CHECK(true);
}

TEST_CASE(" led, [x] \"*\\")
{
    CHECK(false);
}

TEST_CASE("two\nlines")
{
    CHECK(false);
}

TEST_CASE()
{
    CHECK(false);
}
