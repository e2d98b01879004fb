// Result: correct.
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::latch begin(2);
static std::counting_semaphore<2> turn(0);
static int order;

int main()
{
    std::thread t([] {
        begin.arrive_and_wait();
        assert(order++ == 0);
        turn.release();
    });
    begin.arrive_and_wait();
    turn.acquire();
    assert(order == 1);
    t.join();
}
