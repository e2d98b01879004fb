// A queue whose reader looks only once whether there is something: between being woken and getting
// the mutex back another reader may take it.  docs/TUTORIAL.md is about it.  Result: assertion violation.
// -DFIXED looks again after each wake-up: correct.
// Expect: assertion failed
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

class Queue {
public:
    void put(int value)
    {
        std::lock_guard guard(lock_);
        items_.push(value);
        ready_.notify_one();
    }
    int get()
    {
        std::unique_lock guard(lock_);
#ifdef FIXED
        while (items_.empty())
#else
        if (items_.empty())
#endif
            ready_.wait(guard);
        int value = items_.front();
        items_.pop();
        return value;
    }

private:
    std::mutex lock_;
    std::condition_variable ready_;
    std::queue<int> items_;
};

int main()
{
    Queue queue;
    int here = 0, there = 0;
    std::thread writer([&] {
        queue.put(1);
        queue.put(2);
    });
    std::thread reader([&] { there = queue.get(); });
    here = queue.get();
    writer.join();
    reader.join();
    assert(here + there == 3);
}
