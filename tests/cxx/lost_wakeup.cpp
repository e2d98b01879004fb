// Result: deadlock.
// The flag is set without the mutex: the notification can come before the wait.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static std::atomic<bool> ready;

int main()
{
    std::thread waiter([] {
        std::unique_lock<std::mutex> lock(mutex);
        while (!ready)
            changed.wait(lock);
    });
    ready = true;
    changed.notify_one();
    waiter.join();
}
