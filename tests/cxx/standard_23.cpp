// Result: correct.
// Options: -std=c++23
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static_assert(__cplusplus == 202302L, "C++23");

int main()
{
    std::mutex mutex;
    int sum = 0;
    std::vector<std::thread> threads;
    for (int i = 1; i <= 2; i++)
        threads.emplace_back([&, i] {
            std::scoped_lock lock(mutex);
            sum += i;
        });
    for (auto &t : threads)
        t.join();
    assert(sum == 3);
}
