// Store buffering with orders that are checked as if they were stronger. Result: correct.
// -DSTRONG has only the library's own weak orders, those of shared_ptr for one: correct.
// -DPASSED=1..2 have an order from a parameter, and callers that pass weak and strong ones, or strong
// ones only: correct.
// -DGIVEN has an order that only the program computes: correct.
// Expect: complete under sequential consistency \(weak_order.cpp:@first is relaxed, and 1 more: not checked\)
// Expect-STRONG: transitions, complete$
// Expect-PASSED=1: complete under sequential consistency \(weak_order.cpp:@passed is release, and 2 more: not checked\)
// Expect-PASSED=2: complete under sequential consistency \(weak_order.cpp:@first is relaxed, and 1 more: not checked\)
// Expect-GIVEN: complete under sequential consistency \(weak_order.cpp:@passed has an order given at run time, and 2 more: not checked\)
// divm: --memory=sc
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

#ifdef STRONG
#define ORDER std::memory_order_seq_cst
#else
#define ORDER std::memory_order_relaxed
#endif

std::atomic<int> x, y;
std::once_flag once;
int r1, r2;

#if defined PASSED || defined GIVEN
void put(std::atomic<int> &to, std::memory_order order)
{
    to.store(1, order); // @passed
}
#endif

int main()
{
    auto number = std::make_shared<int>(1);
    std::thread a([number] {
        x.store(*number, ORDER); // @first
        r1 = y.load();
    });
    std::thread b([number] {
        std::call_once(once, [] {});
        std::atomic_store_explicit(&y, *number, ORDER);
        r2 = x.load();
    });
#ifdef PASSED
    put(x, std::memory_order_seq_cst);
#if PASSED == 1
    put(y, std::memory_order_release);
#endif
#endif
#ifdef GIVEN
    put(x, static_cast<std::memory_order>(std::atoi("5")));
#endif
    std::atomic_thread_fence(std::memory_order_acquire);
    a.join();
    b.join();
    assert(r1 || r2);
}
