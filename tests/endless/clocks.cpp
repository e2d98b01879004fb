// Waits by clocks of C++, and gives way meanwhile: no endless run.  Result: correct.
// -DSYSTEM: correct. -DBOTH: another thread asks whether the time is over: correct.
#include <atomic>
#include <chrono>
#include <thread>

#ifdef SYSTEM
using Clock = std::chrono::system_clock;
#else
using Clock = std::chrono::steady_clock;
#endif

static std::atomic<bool> over;

static void wait()
{
    auto end = Clock::now() + std::chrono::milliseconds(20);
    while (Clock::now() < end)
        std::this_thread::yield();
    over = true;
}

int main()
{
    std::thread thread(wait);
#ifdef BOTH
    while (!over)
        std::this_thread::yield();
#endif
    thread.join();
}
