// Threads wait on a number and notify, each by a reference of its own. Result: correct.
// -DBUG forgets to notify: deadlock.
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
    int number = 0;
    std::thread other([&] {
        std::atomic_ref mine(number);
        mine.wait(0);
        assert(mine.fetch_add(1) == 1);
    });
    {
        std::atomic_ref mine(number);
        mine.store(1);
#ifndef BUG
        mine.notify_one();
#endif
    }
    other.join();
    assert(number == 2);
}
