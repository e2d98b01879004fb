// Result: correct.
// std::scoped_lock takes two mutexes in any order without a deadlock.
#include <mutex>
#include <thread>

static std::mutex a, b;

int main()
{
    std::thread t([] { std::scoped_lock lock(b, a); });
    {
        std::scoped_lock lock(a, b);
    }
    t.join();
}
