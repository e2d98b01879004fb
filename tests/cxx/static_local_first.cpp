// Any of the threads may be the one that makes a static local variable: by executions, too,
// where a look at the guard orders nothing while the variable is not made.
//
// Result: correct. -DNEVER=1..2: assertion violation. -DNEVER=3: correct.
// -DNEVER=4 says that the second thread is only ever the first if the other has stored:
// assertion violation.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef NEVER
#define NEVER 0
#endif

static std::atomic<int> found[2];

struct one {
    int by;
    explicit one(int thread) : by(thread)
    {
    }
};

static int first(int thread)
{
    static one made(thread);
    return made.by;
}

static void work(int thread)
{
    found[thread - 1] = first(thread);
    if (NEVER == 4)
        assert(first(thread) == 1 || found[0]);
}

int main()
{
    std::thread one(work, 1), two(work, 2);
    one.join();
    two.join();
    assert(found[0] == found[1] && found[0] != NEVER);
    return 0;
}
