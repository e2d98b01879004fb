// A queue wakes one consumer when it was empty before a push: of two that wait, the second
// sleeps on.  Result: deadlock.
// Learned: the second push notifies nobody, and consumer "second" waits for ready_ for ever.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
public:
    void push(int item)
    {
        std::lock_guard<std::mutex> guard(m_);
        items_.push_back(item);
        if (items_.size() == 1)
            ready_.notify_one();
    }
    int pop()
    {
        std::unique_lock<std::mutex> guard(m_);
        ready_.wait(guard, [this] { return !items_.empty(); });
        int item = items_.front();
        items_.pop_front();
        return item;
    }

private:
    std::mutex m_;
    std::condition_variable ready_;
    std::deque<int> items_;
};

int main()
{
    Queue queue;
    std::thread first([&] { queue.pop(); });
    std::thread second([&] {
        pthread_setname_np(pthread_self(), "second");
        queue.pop();
    });
    queue.push(1);
    queue.push(2);
    first.join();
    second.join();
}
