// Two producers and two consumers of a bounded queue, two items each. Result: correct.
// -DBUG wakes up whoever waits on one condition variable for both: deadlock.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue
{
    static constexpr unsigned limit = 1;
    std::mutex mutex;
    std::condition_variable not_full, empty_too;
#ifdef BUG
    std::condition_variable &not_empty = not_full;
#else
    std::condition_variable &not_empty = empty_too;
#endif
    std::deque<int> items;

  public:
    void put(int item)
    {
        std::unique_lock lock(mutex);
        not_full.wait(lock, [this] { return items.size() < limit; });
        items.push_back(item);
        not_empty.notify_one();
    }

    int get()
    {
        std::unique_lock lock(mutex);
        not_empty.wait(lock, [this] { return !items.empty(); });
        int item = items.front();
        items.pop_front();
        not_full.notify_one();
        return item;
    }
};

int main()
{
    Queue queue;
    int sum[2] = {0, 0};
    auto produce = [&](int from) {
        for (int k = 0; k < 2; k++)
            queue.put(from + k);
    };
    auto consume = [&](int *to) {
        for (int k = 0; k < 2; k++)
            *to += queue.get();
    };
    std::thread first(produce, 1), second(produce, 10), third(consume, &sum[0]),
        fourth(consume, &sum[1]);
    first.join();
    second.join();
    third.join();
    fourth.join();
    assert(sum[0] + sum[1] == 1 + 2 + 10 + 11);
}
