// A channel is asked whether it is empty without its lock.  Result: data race.
// Learned: put writes jobs.queue_ with jobs.m_ held, empty reads it with no lock; templates are
// written as in the source, without what they have by default.
#include <cassert>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace
{
struct Job {
    std::string name;
    int runs = 0;
};
template <class T> class Channel
{
  public:
    void put(T t)
    {
        std::lock_guard<std::mutex> lock(m_);
        queue_.push_back(std::move(t));
    }
    bool empty()
    {
        return queue_.empty();
    }
    T take()
    {
        T t = std::move(queue_.front());
        queue_.pop_front();
        return t;
    }

  private:
    std::mutex m_;
    std::deque<T> queue_;
};
} // namespace

int main()
{
    Channel<std::string> names;
    Channel<std::unique_ptr<Job>> jobs;
    std::vector<std::thread> pool;
    pool.emplace_back([&] { jobs.put(std::make_unique<Job>()); });
    pool.emplace_back([&] {
        while (!jobs.empty())
            jobs.take()->runs++;
    });
    for (auto &t : pool)
        t.join();
}
