// A wait with a time limit may end in time or be late, whatever clock has the limit: both
// ways are tried.
//
// Result: correct.
// -DIN_TIME=0..13 takes it for certain that what one kind waits for comes: assertion violation.
// -DLATE=0..13 that it does not: assertion violation.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using std::chrono::system_clock;

struct own_clock {
    using duration = std::chrono::milliseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<own_clock>;
    static constexpr bool is_steady = true;
    static time_point now()
    {
        return time_point(std::chrono::duration_cast<duration>(
            steady_clock::now().time_since_epoch()));
    }
};

// Another thread tells this one, which waits by `wait`.
template <class Condition, class Wait> static bool told(Wait wait)
{
    std::mutex lock;
    Condition changed;
    bool ready = false;
    std::jthread teller([&] {
        std::lock_guard hold(lock);
        ready = true;
        changed.notify_one();
    });
    std::unique_lock hold(lock);
    return ready || wait(changed, hold, ready);
}

// Another thread has the lock for a while.
template <class Mutex, class Lock> static bool locked(Lock lock)
{
    Mutex mutex;
    std::jthread other([&] { std::lock_guard hold(mutex); });
    return lock(mutex);
}

static bool in_time(int kind)
{
    using one = std::condition_variable;
    using any = std::condition_variable_any;
    auto yes = std::cv_status::no_timeout;
    auto done = std::future_status::ready;
    switch (kind) {
    case 0:
        return told<one>([=](auto &c, auto &l, bool &) { return c.wait_for(l, 10ms) == yes; });
    case 1:
        return told<one>([](auto &c, auto &l, bool &ready) {
            return c.wait_for(l, 10ms, [&] { return ready; });
        });
    case 2:
        return told<one>([=](auto &c, auto &l, bool &) {
            return c.wait_until(l, steady_clock::now() + 10ms) == yes;
        });
    case 3:
        return told<one>([](auto &c, auto &l, bool &ready) {
            return c.wait_until(l, system_clock::now() + 10ms, [&] { return ready; });
        });
    case 4:
        return told<one>([=](auto &c, auto &l, bool &) {
            return c.wait_until(l, own_clock::now() + 10ms) == yes;
        });
    case 5:
        return told<any>([](auto &c, auto &l, bool &ready) {
            return c.wait_for(l, 10ms, [&] { return ready; });
        });
    case 6:
        return told<any>([](auto &c, auto &l, bool &ready) {
            return c.wait_for(l, std::stop_token(), 10ms, [&] { return ready; });
        });
    case 7:
        return locked<std::timed_mutex>(
            [](auto &mutex) { return std::unique_lock(mutex, 10ms).owns_lock(); });
    case 8:
        return locked<std::recursive_timed_mutex>([](auto &mutex) {
            return std::unique_lock(mutex, system_clock::now() + 10ms).owns_lock();
        });
    case 9:
        return locked<std::shared_timed_mutex>(
            [](auto &mutex) { return std::unique_lock(mutex, 10ms).owns_lock(); });
    case 10:
        return locked<std::shared_timed_mutex>([](auto &mutex) {
            return std::shared_lock(mutex, steady_clock::now() + 10ms).owns_lock();
        });
    case 11:
        return std::async(std::launch::async, [] {}).wait_for(10ms) == done;
    case 12: {
        std::promise<int> promise;
        auto result = promise.get_future().share();
        std::jthread maker([&] { promise.set_value(1); });
        return result.wait_until(system_clock::now() + 10ms) == done;
    }
    default: {
        std::binary_semaphore semaphore(0);
        std::jthread other([&] { semaphore.release(); });
        return semaphore.try_acquire_for(10ms);
    }
    }
}

int main()
{
#ifdef IN_TIME
    assert(in_time(IN_TIME));
#elif defined LATE
    assert(!in_time(LATE));
#endif
}
