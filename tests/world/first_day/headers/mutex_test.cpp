// The planted error: the second addition is outside of TBB's lock.
#include <cassert>
#include <tbb/spin_mutex.h>
#include <thread>

int main()
{
    tbb::spin_mutex lock;
    int sum = 0;
    auto add = [&] {
        {
            tbb::spin_mutex::scoped_lock guard(lock);
            sum++;
        }
        sum++;
    };
    std::thread other(add);
    add();
    other.join();
    assert(sum == 4);
}
