#include "total.h"

#include <mutex>
#include <thread>
#include <vector>

int main()
{
    static_assert(LIMIT == 2);
    std::mutex lock;
    std::vector<int> numbers;
    std::thread other([&] {
        std::lock_guard guard(lock);
        numbers.push_back(1);
    });
    {
        std::lock_guard guard(lock);
        numbers.push_back(2);
    }
    other.join();
    return total(numbers.data(), (int)numbers.size()) == 3 ? 0 : 1;
}
