// A relaxed flag passes nothing on, although both threads destroy objects that have locks: a
// mutex, a condition variable, a promise and its future.  Result: data race.
// -DACQUIRED is passed with release and acquire: correct.
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#ifdef ACQUIRED
static const auto store = std::memory_order_release, load = std::memory_order_acquire;
#else
static const auto store = std::memory_order_relaxed, load = std::memory_order_relaxed;
#endif

static int message;
static std::atomic<bool> sent;

static void use_locks()
{
    std::mutex lock;
    std::condition_variable changed;
    std::promise<int> promise;
    promise.set_value(1);
    promise.get_future().get();
}

int main()
{
    std::thread sender([] {
        message = 1;
        use_locks();
        sent.store(true, store);
    });
    std::thread receiver([] {
        if (sent.load(load)) {
            use_locks();
            message++;
        }
    });
    sender.join();
    receiver.join();
}
