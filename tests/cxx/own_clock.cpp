// Time limits of a clock of its own, and of the standard ones: the first and the last time
// there are, too. Result: correct.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
struct Clock {
    typedef std::chrono::milliseconds duration;
    typedef duration::rep rep;
    typedef duration::period period;
    typedef std::chrono::time_point<Clock> time_point;
    static const bool is_steady = true;
    static time_point now()
    {
        return time_point(std::chrono::duration_cast<duration>(
            std::chrono::steady_clock::now().time_since_epoch()));
    }
};
int main()
{
    std::timed_mutex m;
    std::shared_timed_mutex s;
    m.lock();
    s.lock();
    std::thread t([&] {
        assert(!m.try_lock_until(Clock::now() + std::chrono::milliseconds(5)));
        assert(!s.try_lock_until(std::chrono::system_clock::now() + std::chrono::hours(1)));
        assert(!s.try_lock_shared_until(Clock::time_point::min()));
    });
    t.join();
    m.unlock();
    s.unlock();
    assert(m.try_lock_until(Clock::time_point::max()));
    m.unlock();
    assert(s.try_lock_shared_for(std::chrono::hours(1)));
    s.unlock_shared();

    // A writer who gives up waiting for a reader lets others in again.
    s.lock_shared();
    std::thread writer([&] {
        assert(!s.try_lock_for(std::chrono::milliseconds(5)));
        assert(s.try_lock_shared());
        s.unlock_shared();
    });
    writer.join();
    s.unlock_shared();
}
