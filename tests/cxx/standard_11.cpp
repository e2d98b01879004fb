// Result: correct.
// Options: -std=c++11
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static_assert(__cplusplus == 201103L, "C++11");

int main()
{
    std::mutex mutex;
    int sum = 0;
    std::vector<std::thread> threads;
    for (int i = 1; i <= 2; i++)
        threads.emplace_back([&, i] {
            std::lock_guard<std::mutex> lock(mutex);
            sum += i;
        });
    for (auto &t : threads)
        t.join();
    assert(sum == 3);
}
