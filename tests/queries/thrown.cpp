// An exception leaves a function whose local variable is asked for, after an atomic store: the
// state between the two is seen.  Result: assertion violation.
// Options: --reach='work::mine == 7 && flag == 1'
// Expect: reached: work::mine == 7 && flag == 1
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> flag;

static void work()
{
    int mine = 7;
    flag = mine - 6;
    throw std::runtime_error("left");
}

int main()
{
    std::thread other([] {
        try {
            work();
        } catch (const std::exception &) {
        }
        flag = 2;
    });
    other.join();
    return flag - 2;
}
