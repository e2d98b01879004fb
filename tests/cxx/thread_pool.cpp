// Tasks wait for one of two threads, and what they return is a future's; the destructor lets
// the threads go when no task is left.  Result: correct.
// -DBUG the end is told without the lock: data race.
// -DLOST one task is waited for by who holds the lock: deadlock.
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
    std::mutex mutex;
    std::condition_variable changed;
    std::queue<std::function<void()>> tasks;
    bool over = false;
    std::vector<std::thread> threads;

    void work()
    {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock lock(mutex);
                changed.wait(lock, [this] { return over || !tasks.empty(); });
                if (tasks.empty())
                    return;
                task = std::move(tasks.front());
                tasks.pop();
            }
            task();
        }
    }

public:
    explicit Pool(int n)
    {
        for (int i = 0; i < n; i++)
            threads.emplace_back([this] { work(); });
    }

    template <class F> auto run(F f)
    {
        auto task = std::make_shared<std::packaged_task<decltype(f())()>>(std::move(f));
        auto result = task->get_future();
        std::lock_guard lock(mutex);
        tasks.push([task] { (*task)(); });
        changed.notify_one();
#ifdef LOST
        result.wait();
#endif
        return result;
    }

    ~Pool()
    {
        {
#ifndef BUG
            std::lock_guard lock(mutex);
#endif
            over = true;
        }
        changed.notify_all();
        for (auto &thread : threads)
            thread.join();
    }
};

int main()
{
    Pool pool(2);
    auto one = pool.run([] { return 1; });
    auto two = pool.run([] { return 2; });
    assert(one.get() + two.get() == 3);
}
