// Store buffering: both threads may read the old value on a real machine, where relaxed
// accesses are not in one order.  Result: assertion violation.
// Learned: that both threads have read an old value.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x, y;
int r1, r2;

int main()
{
    std::thread a([] {
        x.store(1, std::memory_order_relaxed);
        r1 = y.load(std::memory_order_relaxed);
    });
    std::thread b([] {
        y.store(1, std::memory_order_relaxed);
        r2 = x.load(std::memory_order_relaxed);
    });
    a.join();
    b.join();
    assert(r1 || r2);
}
