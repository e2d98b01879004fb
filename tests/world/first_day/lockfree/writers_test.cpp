// The planted error: two write, and the ring is for one only.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

int main()
{
    boost::lockfree::spsc_queue<int> ring(4);
    std::thread one([&] { ring.push(1); });
    ring.push(2);
    one.join();
    assert(ring.read_available() == 2);
}
