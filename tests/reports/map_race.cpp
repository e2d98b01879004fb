// Two threads fill a cache without a lock.  Result: data race.
// Learned: both calls that change cache.prices, and which threads make them.
#include <map>
#include <string>
#include <thread>
#include <vector>

struct Cache {
    int hits = 0;
    std::map<int, double> prices;
    void put(int key, double price) { prices[key] = price; }
};

int main()
{
    Cache cache;
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++)
        threads.emplace_back([&cache, i] { cache.put(i, 1.5); });
    for (auto &thread : threads)
        thread.join();
}
