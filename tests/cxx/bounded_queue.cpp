// Result: correct.
// A bounded queue of mutex, condition variables and deque.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

template <class T> class Queue {
    std::mutex mutex;
    std::condition_variable not_full, not_empty;
    std::deque<T> items;
    static constexpr unsigned limit = 1;

public:
    void put(T x)
    {
        std::unique_lock<std::mutex> lock(mutex);
        not_full.wait(lock, [this] { return items.size() < limit; });
        items.push_back(x);
        not_empty.notify_one();
    }
    T get()
    {
        std::unique_lock<std::mutex> lock(mutex);
        not_empty.wait(lock, [this] { return !items.empty(); });
        T x = items.front();
        items.pop_front();
        not_full.notify_one();
        return x;
    }
};

static Queue<int> queue;

int main()
{
    std::thread producer([] {
        queue.put(1);
        queue.put(2);
    });
    int a = queue.get(), b = queue.get();
    producer.join();
    assert(a == 1 && b == 2);
}
