// What locks with readers, and those with time limits, order: a writer comes after all before, a
// reader after writers only, and an attempt that fails after nobody.
// Result: correct.
// -DLIMIT has a timed mutex: correct.
// -DREADERS passes data from reader to reader: data race.
// -DFAILED=1..4 passes data to a thread that does not get the lock: data race.
// -DFOREIGN=1..3 unlocks what another thread has locked: misuse of a class or pthread misuse.
// Expect-FOREIGN=1: std::shared_mutex::unlock: another thread has locked it
// Expect-FOREIGN=2: std::shared_mutex::unlock_shared: the thread has not locked it
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::shared_timed_mutex shared;
static std::timed_mutex timed;
static std::atomic<int> done;
static int data;

#if FAILED
static bool fails()
{
    switch (FAILED) {
    case 1: return !shared.try_lock();
    case 2: return !shared.try_lock_shared();
    case 3: return !shared.try_lock_shared_for(1ms);
    default: return !timed.try_lock_for(1ms);
    }
}

static void first()
{
    std::lock_guard one(shared);
    std::lock_guard other(timed);
    data = 1;
    done.store(1, std::memory_order_relaxed);
    while (done.load(std::memory_order_relaxed) == 1) {
    }
}

static void second()
{
    while (!done.load(std::memory_order_relaxed)) {
    }
    if (fails())
        data++;
    done.store(2, std::memory_order_relaxed);
}
#elif READERS
static void first()
{
    data = 1;
    { std::shared_lock lock(shared); }
    done.store(1, std::memory_order_relaxed);
}

static void second()
{
    if (done.load(std::memory_order_relaxed)) {
        std::shared_lock lock(shared);
        data++;
    }
}
#elif LIMIT
static void first()
{
    std::unique_lock lock(timed, 1ms);
    if (lock)
        data++;
    done.store(1, std::memory_order_relaxed);
}

static void second()
{
    std::lock_guard lock(timed);
    data++;
}
#else
static void first()
{
    std::shared_lock lock(shared);
    if (data == 0)
        done.store(1, std::memory_order_relaxed);
}

static void second()
{
    {
        std::lock_guard lock(shared);
        data++;
    }
    std::shared_lock lock(shared);
    assert(data == 1);
}
#endif

int main()
{
#if FOREIGN == 1
    shared.lock();
    std::thread([] { shared.unlock(); }).join();
#elif FOREIGN == 2
    shared.lock_shared();
    std::thread([] { shared.unlock_shared(); }).join();
#elif FOREIGN == 3
    timed.lock();
    std::thread([] { timed.unlock(); }).join();
#endif
    std::thread one(first), other(second);
    one.join();
    other.join();
}
