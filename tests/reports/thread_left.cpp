// A logger joins its thread only if stop() was called.  Result: assertion violation.
// Learned: which thread object was destroyed without having been joined.
#include <atomic>
#include <thread>

class Logger {
public:
    Logger() : thread_([this] { running_ = true; }) {}
    void stop()
    {
        if (thread_.joinable())
            thread_.join();
    }

private:
    std::atomic<bool> running_{false};
    std::thread thread_;
};

int main()
{
    std::atomic<bool> failed{false};
    std::thread check([&] { failed = true; });
    {
        Logger logger;
        if (!failed)
            logger.stop();
    }
    check.join();
}
