// A reader waits for an answer no longer than a second, and takes it that it has come then.
// Result: assertion violation.
// Learned: that the time limit has passed, and not the other thread woken the reader.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

class Answer
{
  public:
    void set(int value)
    {
        std::lock_guard guard(lock_);
        value_ = value;
        there_ = true;
        changed_.notify_one();
    }

    int get()
    {
        std::unique_lock guard(lock_);
        while (!there_)
            if (changed_.wait_for(guard, std::chrono::seconds(1)) == std::cv_status::timeout)
                break;
        assert(there_);
        return value_;
    }

  private:
    std::mutex lock_;
    std::condition_variable changed_;
    bool there_ = false;
    int value_ = 0;
};

int main()
{
    Answer answer;
    std::thread writer([&] { answer.set(42); });
    answer.get();
    writer.join();
}
