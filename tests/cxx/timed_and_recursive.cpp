// Recursive and timed mutexes, condition_variable_any with a stop token.  Result: correct.
// -DBUG locks a plain mutex twice: deadlock or pthread misuse or uncaught exception.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

using namespace std::chrono_literals;

int main()
{
    std::recursive_mutex again;
    std::timed_mutex timed;
    std::mutex plain;
    int n = 0;
    std::jthread adder([&] {
        std::scoped_lock first(again), second(again);
        if (std::unique_lock lock(timed, 5ms); lock)
            n++;
    });
    {
        std::lock_guard lock(timed);
        std::scoped_lock more(again);
    }
    adder.join();
    assert(n <= 1);
    std::condition_variable_any changed;
    bool stopped = false;
    std::jthread waiter([&](std::stop_token token) {
        std::unique_lock lock(plain);
        stopped = !changed.wait(lock, token, [] { return false; });
    });
    waiter.request_stop();
    waiter.join();
    assert(stopped);
#ifdef BUG
    plain.lock();
    plain.lock();
#endif
}
