// The report speaks of what the test calls, not of how the library does it.
// Result: assertion violation.
// Options: --trace=list
// Expect: \d+: lock m$
// Expect: \d+: notify_one changed
// Expect: \d+: counter: 0 -> 1$
// Expect: \d+: set_value promise$
// Expect: \d+: release places
// Expect: \d+: lock_shared shared
// Expect: \d+: wait flag
// Expect: \d+: join thread 2
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

static std::atomic<int> counter;
static std::atomic<bool> flag = true;
static std::mutex m;
static std::shared_mutex shared;
static std::condition_variable changed;
static std::counting_semaphore<3> places(0);
static bool ready;

int main()
{
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread other([&] {
        counter++;
        flag = false;
        {
            std::lock_guard guard(m);
            ready = true;
        }
        changed.notify_one();
        promise.set_value(3);
        std::shared_lock guard(shared);
        places.release();
    });
    {
        std::unique_lock guard(m);
        changed.wait(guard, [] { return ready; });
    }
    places.acquire();
    flag.wait(true);
    shared.lock();
    shared.unlock();
    int got = future.get() + counter;
    other.join();
    assert(got != 4);
}
