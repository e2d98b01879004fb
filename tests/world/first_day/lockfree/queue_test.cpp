// Two write and one reads.
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

int main()
{
    boost::lockfree::queue<int, boost::lockfree::capacity<4>> queue;
    auto write = [&](int n) { queue.bounded_push(n); };
    std::thread one(write, 1), two(write, 2);
    int sum = 0, n;
    if (queue.pop(n))
        sum += n;
    one.join();
    two.join();
    while (queue.pop(n))
        sum += n;
    assert(sum == 3);
}
