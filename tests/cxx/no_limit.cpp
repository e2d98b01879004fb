// A time limit at the end of time is none: what waits with one waits for as long as it takes.
// Result: correct.
// -DLOST: deadlock.
// -DLOCKED: deadlock.
// -DSOON: assertion violation.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono;

static std::mutex mutex;
static std::condition_variable changed;
static std::timed_mutex timed;
static std::shared_timed_mutex shared;
static bool ready;

static void get_ready()
{
    std::lock_guard hold(mutex);
    ready = true;
#ifndef LOST
    changed.notify_all();
#endif
}

static void wait()
{
    std::unique_lock lock(mutex);
    auto is_ready = [] { return ready; };
#ifdef SOON
    assert(changed.wait_until(lock, system_clock::now() + hours(24 * 365), is_ready));
#endif
    assert(changed.wait_until(lock, system_clock::time_point::max(), is_ready));
    ready = false;
    std::thread another(get_ready);
    assert(changed.wait_until(lock, steady_clock::time_point::max(), is_ready));
    another.join();
}

static void lock()
{
    assert(timed.try_lock_until(system_clock::time_point::max()));
    assert(shared.try_lock_shared_until(steady_clock::time_point::max()));
#ifndef LOCKED
    timed.unlock();
#endif
    shared.unlock_shared();
}

int main()
{
    std::thread waiting(wait);
    get_ready();
    waiting.join();
    std::thread first(lock), second(lock);
    first.join();
    second.join();
    std::future<int> result = std::async(std::launch::async, [] { return 1; });
    assert(result.wait_until(system_clock::time_point::max()) == std::future_status::ready);
}
