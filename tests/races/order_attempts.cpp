// As order_attempts.c, with the C++ library. Result: data race.
// -DLATER tries when the lock is made: data race.
// -DSEVERAL tries two locks: data race.
// -DALL std::scoped_lock, which tries for itself and ends with both: correct.
#include <mutex>
#include <thread>

static int data;
static std::mutex lock, other;

static bool fails()
{
#if defined LATER
    return !std::unique_lock(lock, std::try_to_lock);
#elif defined SEVERAL
    int which = std::try_lock(lock, other);
    if (which == -1) {
        lock.unlock();
        other.unlock();
    }
    return which == 0;
#elif defined ALL
    std::scoped_lock both(lock, other);
    return data == 1;
#else
    bool got = lock.try_lock();
    if (got)
        lock.unlock();
    return !got;
#endif
}

int main()
{
    bool done = false;
    std::thread thread([&] {
#ifdef ALL
        std::scoped_lock both(other, lock);
#endif
        data = 1;
#ifndef ALL
        lock.lock();
#endif
        done = true;
#ifndef ALL
        lock.unlock();
#endif
    });
    int value = fails() ? data : 1;
    thread.join();
    return value == 1 && done ? 0 : 1;
}
