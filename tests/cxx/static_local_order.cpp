// Result: assertion violation.  -DWHO=2 asserts the other: assertion violation.
// Which thread makes a static local is open: both orders are found.
#include <cassert>
#include <thread>

#ifndef WHO
#define WHO 1
#endif

static int first(int who)
{
    static int winner = who;
    return winner;
}

int main()
{
    std::thread t([] { first(2); });
    int winner = first(1);
    t.join();
    assert(winner == WHO);
}
