// As order_attempts.c, with the C++ library. Result: data race.
// -DLATER tries when the lock is made: data race.
// -DSEVERAL tries two locks: data race.
// -DSEMAPHORE tries to acquire a semaphore: data race.
// -DLIMIT or does so up to a time: data race.
// -DCOUNT finds that it has the last pointer to an object: data race.
// -DEXPIRED finds that no such pointer is left: data race.
// -DLOCKED or is told so by the pointer that would have locked it: data race.
// -DCONSTRUCTED or by an exception: data race.
// -DALL std::scoped_lock, which tries for itself and ends with both: correct.
#include <chrono>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>

#if defined EXPIRED || defined LOCKED || defined CONSTRUCTED
#define GONE
#endif

static int data;
static std::mutex lock, other;
static std::binary_semaphore semaphore(1);
static std::shared_ptr<int> pointer = std::make_shared<int>(0), second = pointer;
static std::weak_ptr<int> weak = pointer;

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
#elif defined SEMAPHORE
    return !semaphore.try_acquire();
#elif defined LIMIT
    return !semaphore.try_acquire_for(std::chrono::seconds(1));
#elif defined COUNT
    return second.use_count() == 1;
#elif defined EXPIRED
    return weak.expired();
#elif defined LOCKED
    return !weak.lock();
#elif defined CONSTRUCTED
    try {
        std::shared_ptr<int> got(weak);
    } catch (const std::bad_weak_ptr &) {
        return true;
    }
    return false;
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
#ifdef GONE
    second.reset();
#endif
    bool done = false;
    std::thread thread([&] {
#ifdef ALL
        std::scoped_lock both(other, lock);
#endif
        data = 1;
#if defined SEMAPHORE || defined LIMIT
        (void)semaphore.try_acquire();
#elif defined COUNT || defined GONE
        pointer.reset();
#elif !defined ALL
        lock.lock();
#endif
        done = true;
#if !defined ALL && !defined SEMAPHORE && !defined LIMIT && !defined COUNT && !defined GONE
        lock.unlock();
#endif
    });
    int value = fails() ? data : 1;
    thread.join();
    return value == 1 && done ? 0 : 1;
}
