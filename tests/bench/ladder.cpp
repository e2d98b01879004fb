// T threads, each with one critical section in which a map grows.  Result: correct.
// Few states, and an execution for each order of the threads.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>
#include <vector>
#ifndef T
#define T 4
#endif
int main()
{
    std::mutex m;
    std::map<int, int> counts;
    std::vector<std::thread> threads;
    for (int t = 0; t < T; ++t)
        threads.emplace_back([&, t] { std::lock_guard<std::mutex> g(m); counts[t % 3]++; });
    for (auto &t : threads)
        t.join();
    int sum = 0;
    for (auto &[k, v] : counts)
        sum += v;
    assert(sum == T);
}
