// With --clock=prompt nothing but waiting takes time: a sleep of 20 ms is over before one
// of 30 ms, and 50 ms are enough for whatever another thread does.
// Options: --clock=prompt
// Result: correct.
// -DLATE waits too short a time: assertion violation.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

int main()
{
    std::mutex lock;
    std::timed_mutex timed;
    std::condition_variable changed;
    bool ready = false;
    auto begin = clock_type::now();
    std::thread first([&] {
        std::lock_guard hold(timed);
        std::this_thread::sleep_for(20ms);
        std::lock_guard guard(lock);
        ready = true;
        changed.notify_one();
    });
    std::thread second([&] {
        std::this_thread::sleep_for(5ms);
        assert(!timed.try_lock_for(10ms));
        assert(clock_type::now() - begin == 15ms);
        assert(timed.try_lock_for(10ms));
        timed.unlock();
    });
#ifdef LATE
    auto limit = 19ms;
#else
    auto limit = 50ms;
#endif
    std::unique_lock guard(lock);
    assert(changed.wait_for(guard, limit, [&] { return ready; }));
    assert(clock_type::now() - begin == 20ms);
    guard.unlock();
    first.join();
    second.join();
}
