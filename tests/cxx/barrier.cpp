// Result: correct.
#include <barrier>
#include <cassert>
#include <thread>

static int done[2];

int main()
{
    std::barrier meet(2);
    std::thread t([&] {
        done[0] = 1;
        meet.arrive_and_wait();
        assert(done[1]);
    });
    done[1] = 1;
    meet.arrive_and_wait();
    assert(done[0]);
    t.join();
}
