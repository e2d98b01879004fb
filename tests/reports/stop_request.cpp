// A stop request is set without the lock, between the test and the wait.
// Result: deadlock. Learned: the worker saw stop = false in line 18, main notified in line 28,
// and the worker waited in line 19 only then.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Worker {
    std::shared_mutex mutex;
    std::condition_variable_any wake;
    std::atomic<bool> stop{false};

    void run()
    {
        std::shared_lock lock(mutex);
        while (!stop)
            wake.wait(lock);
    }
};

int main()
{
    Worker worker;
    std::thread thread(&Worker::run, &worker);
    worker.stop = true;
    worker.wake.notify_all();
    thread.join();
}
