// Sleeps until a thread has said that it is done.  Result: correct.
// -DTHROWN: an exception comes before it says so: endless run.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

static std::atomic<bool> done;

static void work(bool fails)
{
    try {
        if (fails)
            throw std::runtime_error("failed");
        done = true;
    } catch (const std::exception &) {
    }
}

int main()
{
#ifdef THROWN
    std::thread thread(work, true);
#else
    std::thread thread(work, false);
#endif
    while (!done)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    thread.join();
}
