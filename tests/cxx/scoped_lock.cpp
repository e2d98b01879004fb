// Result: correct.
// std::scoped_lock takes mutexes in any order without a deadlock.
// -DTHREE takes three: correct.
// -DNESTED takes one before the others in each thread: deadlock.
#include <mutex>
#include <thread>

static std::mutex a, b, c;

int main()
{
#ifdef THREE
    std::thread t([] { std::scoped_lock lock(c, b, a); });
    {
        std::scoped_lock lock(a, b, c);
    }
#elif defined NESTED
    std::thread t([] {
        std::scoped_lock first(c);
        std::scoped_lock lock(a, b);
    });
    {
        std::scoped_lock first(a);
        std::scoped_lock lock(b, c);
    }
#else
    std::thread t([] { std::scoped_lock lock(b, a); });
    {
        std::scoped_lock lock(a, b);
    }
#endif
    t.join();
}
