// Names that a shell, XML or a framework's own patterns could misunderstand.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

TEST_CASE("a, b & <c> \"d\"")
{
    CHECK(1 + 1 == 2);
}

TEST_CASE("a")
{
    CHECK(1 + 1 == 2);
}

TEST_CASE("fails [x]")
{
    CHECK_MESSAGE(1 + 1 == 3, "\x01 \xff <&>");
}

TEST_CASE("left out" * doctest::skip())
{
    CHECK(false);
}

TEST_CASE("")
{
    CHECK(false);
}

TEST_CASE("two\nlines")
{
    CHECK(false);
}
