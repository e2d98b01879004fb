// A job takes a local variable of a loop by reference, and runs when that has ended.
// Result: memory error.
// Learned: which variable has ended, and where.
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

std::atomic<int> total;

class Pool
{
  public:
    void run(std::function<void()> job)
    {
        workers_.emplace_back(std::move(job));
    }
    ~Pool()
    {
        for (std::thread &worker : workers_)
            worker.join();
    }

  private:
    std::vector<std::thread> workers_;
};

void add_all(Pool &pool, const std::vector<int> &numbers)
{
    for (size_t i = 0; i < numbers.size(); i++) {
        int number = numbers[i];
        pool.run([&number] { total += number; });
    }
}

int main()
{
    Pool pool;
    add_all(pool, {3, 4});
}
