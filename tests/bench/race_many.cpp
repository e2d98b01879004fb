// N threads wait for a condition, which main announces without their mutex.  Result: data race.
// A few executions show it; states are many, and each is large.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
#ifndef N
#define N 4
#endif
int main()
{
    std::mutex lock, other;
    std::condition_variable changed;
    bool ready = false;
    std::atomic<int> sum{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < N; i++)
        threads.emplace_back([&, i] {
            std::unique_lock<std::mutex> held(lock);
            changed.wait(held, [&] { return ready; });
            sum += i;
        });
    for (int k = 0; k < 3; k++) {
        std::lock_guard<std::mutex> held(other);
        sum += k;
    }
    ready = true;
    changed.notify_all();
    for (auto &t : threads)
        t.join();
}
