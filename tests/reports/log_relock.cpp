// A method that locks calls another that does.
// Result: deadlock. Learned: add holds lock_ and calls flush in line 16, which locks it in
// line 20.
#include <mutex>
#include <thread>
#include <vector>

class Log
{
  public:
    void add(int entry)
    {
        std::lock_guard guard(lock_);
        entries_.push_back(entry);
        if (entries_.size() == 2)
            flush();
    }
    void flush()
    {
        std::lock_guard guard(lock_);
        entries_.clear();
    }

  private:
    std::mutex lock_;
    std::vector<int> entries_;
};

int main()
{
    Log log;
    std::thread other([&] { log.add(1); });
    log.add(2);
    other.join();
}
