// Waiting for an atomic to change orders as a load of its order does; a latch and a semaphore order as
// C++ says, in programs with weaker orders, too.
// Result: correct.
// -DRELAXED_STORE: data race.
// -DRELAXED_WAIT: data race.
// -DFENCED a fence after a relaxed wait: correct.
// -DFLAG std::atomic_flag: correct.
// -DLATCH: correct.
// -DSEMAPHORE: correct.
// -DLOCK a semaphore as a lock: correct.
// -DLOCK=2 it lets two threads in: data race.
// -DOLDER a relaxed load after the wait reads no older value than the wait has: correct.
// -DCOUNTED nor does one after a semaphore's release: correct.
#include <atomic>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

#ifdef RELAXED_STORE
#define STORE std::memory_order_relaxed
#else
#define STORE std::memory_order_release
#endif
#if defined RELAXED_WAIT || defined FENCED || defined OLDER
#define WAIT std::memory_order_relaxed
#else
#define WAIT std::memory_order_acquire
#endif
#ifdef LOCK
#define USES_LOCK
#else
#define LOCK 1
#endif

static int data;
static std::atomic<int> stage, unrelated;
static std::atomic_flag flag;
static std::latch latch(1);
static std::counting_semaphore<4> semaphore(0), lock(LOCK);

static void tell()
{
#ifdef FLAG
    flag.test_and_set(STORE);
    flag.notify_one();
#elif defined LATCH
    latch.count_down();
#elif defined SEMAPHORE || defined COUNTED
    semaphore.release();
#else
    stage.store(1, STORE);
    stage.notify_one();
#endif
}

static void hear()
{
#ifdef FLAG
    flag.wait(false, WAIT);
#elif defined LATCH
    latch.wait();
#elif defined SEMAPHORE || defined COUNTED
    semaphore.acquire();
#else
    stage.wait(0, WAIT);
#endif
#ifdef FENCED
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
}

static void enter()
{
    lock.acquire();
    data++;
    lock.release();
}

int main()
{
    unrelated.store(1, std::memory_order_relaxed);
#ifdef USES_LOCK
    std::thread other(enter);
    enter();
    other.join();
    assert(data == 2);
#else
    std::thread other([] {
        data = 1;
        tell();
    });
    hear();
#ifdef OLDER
    assert(stage.load(std::memory_order_relaxed) == 1);
#elif defined COUNTED
    assert(!semaphore.try_acquire());
#else
    data = 2;
#endif
    other.join();
#endif
}
