// gtest.cpp - GoogleTest, and a listener that makes each failure an error where it
// happens: on the thread that failed, in the state that it failed in.  The children of
// death tests may die.
#include <unistd.h>

extern "C" void __os_may_die(void);

static pid_t fork_to_die()
{
    pid_t child = fork();
    if (child == 0)
        __os_may_die();
    return child;
}

#define fork fork_to_die
#include "src/gtest-all.cc"
#undef fork

#include <assert.h>
#include <stdio.h>
#include <string.h>

// As the C library of most systems says it, since tests expect that.
extern "C" void __assert_told(const char *expr, const char *file, int line, const char *func)
{
    if (testing::internal::InDeathTestChild())
        fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, func, expr);
}

namespace
{

// A message of several lines as one: "Expected equality of these values: a (which is 1), b
// (which is 2)".
class OneLine
{
    char text[512];
    size_t n = 0;

    void add(const char *from, size_t length)
    {
        if (length > sizeof text - 1 - n)
            length = sizeof text - 1 - n;
        memcpy(text + n, from, length);
        n += length;
    }

    void add(const char *from)
    {
        add(from, strlen(from));
    }

    void add_line(const char *line, size_t length)
    {
        static const char which[] = "Which is: ";
        size_t known = sizeof which - 1;
        if (length >= known && !memcmp(line, which, known)) {
            add(" (which is ");
            add(line + known, length - known);
            add(")");
            return;
        }
        if (n)
            add(text[n - 1] == ':' || text[n - 1] == ',' ? " " : ", ");
        add(line, length);
    }

  public:
    explicit OneLine(const char *lines)
    {
        while (*lines) {
            lines += strspn(lines, " \n");
            size_t length = strcspn(lines, "\n");
            if (length)
                add_line(lines, length);
            lines += length;
        }
        text[n] = 0;
    }

    operator const char *() const
    {
        return text;
    }
};

class Failure : public testing::EmptyTestEventListener
{
    void OnTestPartResult(const testing::TestPartResult &result) override
    {
        if (result.failed())
            __assert_fail(OneLine(result.summary()),
                          result.file_name() ? result.file_name() : "", result.line_number(),
                          "");
    }
};

struct Listen {
    Listen()
    {
        testing::UnitTest::GetInstance()->listeners().Append(new Failure);
    }
} listen;

} // namespace
