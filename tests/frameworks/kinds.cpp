// GoogleTest's kinds of tests: with fixtures, with parameters, typed, disabled, skipped;
// a failure inside a thread; one that is expected.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <thread>

class Fixture : public testing::Test
{
  protected:
    void SetUp() override
    {
        value = 7;
    }
    int value = 0;
};

TEST_F(Fixture, Is7)
{
    EXPECT_EQ(value, 7);
}

class Even : public testing::TestWithParam<int>
{
};

TEST_P(Even, Is)
{
    EXPECT_EQ(GetParam() % 2, 0);
}

INSTANTIATE_TEST_SUITE_P(Some, Even, testing::Values(2, 3));

template <class T> class Typed : public testing::Test
{
};
using Types = testing::Types<char, long>;
TYPED_TEST_SUITE(Typed, Types);

TYPED_TEST(Typed, Starts)
{
    EXPECT_EQ(TypeParam(), 0);
}

TEST(Kinds, DISABLED_Fails)
{
    FAIL();
}

TEST(Kinds, Skips)
{
    GTEST_SKIP();
}

TEST(Kinds, Expected)
{
    EXPECT_NONFATAL_FAILURE(EXPECT_EQ(1, 2), "1");
}

TEST(Kinds, InThread)
{
    std::thread([] { ADD_FAILURE() << "in a thread"; }).join();
}

struct Mock {
    MOCK_METHOD(int, call, (int));
};

TEST(Kinds, Mock)
{
    Mock mock;
    EXPECT_CALL(mock, call(testing::Gt(1))).WillOnce(testing::Return(5));
    EXPECT_EQ(mock.call(2), 5);
}
