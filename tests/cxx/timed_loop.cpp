// Limits that pass without end: how often a wait was over is no part of a state, so the search
// ends. A sleep until some time, and a wait that nobody ends, are over by then.
//
// Result: correct.
// -DSLEPT=0..1 takes it for certain that a sleep is long enough: assertion violation.
// -DAFTER=0..2 says that what comes after a sleep, or a wait, is not reached: assertion violation.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
using std::this_thread::sleep_until;

static std::mutex lock;
static std::condition_variable changed;
static bool working, stop;

static void work()
{
    std::unique_lock hold(lock);
    working = true;
    while (!stop)
        changed.wait_for(hold, 10ms);
}

static bool wait(int kind)
{
    auto now = std::chrono::system_clock::now();
    std::unique_lock hold(lock, std::defer_lock);
    switch (kind) {
    case 0:
        sleep_until(now + 10ms);
        return true;
    case 1:
        sleep_until(std::chrono::steady_clock::now() + 10ms);
        return true;
    default:
        hold.lock();
        return !changed.wait_until(hold, now + 10ms, [] { return false; });
    }
}

int main()
{
#ifdef AFTER
    assert(!wait(AFTER));
#endif
    std::thread worker(work);
#ifdef SLEPT
    wait(SLEPT);
#else
    wait(0);
#endif
    {
        std::lock_guard hold(lock);
#ifdef SLEPT
        assert(working);
#endif
        stop = true;
    }
    worker.join();
    assert(working);
}
