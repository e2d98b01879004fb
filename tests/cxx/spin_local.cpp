// A spin lock that is a local variable, as are the data: its end, when the threads are joined, is no write that
// a thread which waits for the lock could have read.  Result: correct.
// -DTHREADS=3: correct.
// -DBUG locks with no order: data race.
// Expect: complete under C11
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef THREADS
#define THREADS 2
#endif
#ifdef BUG
#define LOCKS std::memory_order_relaxed
#else
#define LOCKS std::memory_order_acquire
#endif

int main()
{
    std::atomic<bool> held{false};
    int sum = 0;
    std::vector<std::thread> threads;
    for (int k = 0; k < THREADS; k++)
        threads.emplace_back([&] {
            while (held.exchange(true, LOCKS)) {
            }
            sum++;
            held.store(false, std::memory_order_release);
        });
    for (std::thread &thread : threads)
        thread.join();
    assert(sum == THREADS);
}
