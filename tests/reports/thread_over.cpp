// A restart puts a new thread where the old one still runs.
// Result: assertion violation. Learned: the assignment in line 11 has a thread in thread_ that
// nobody joined.
#include <thread>

class Poller
{
  public:
    void start()
    {
        thread_ = std::thread([this] { polls_++; });
    }
    void stop()
    {
        if (thread_.joinable())
            thread_.join();
    }
    int polls() const
    {
        return polls_;
    }

  private:
    std::thread thread_;
    int polls_ = 0;
};

int main()
{
    Poller poller;
    poller.start();
    poller.start();
    poller.stop();
    return poller.polls() != 2;
}
