// What is done between two phases is done by one thread before the others go on; and it is
// possible to arrive first and to wait later.
//
// Result: correct.
// -DBUG arrives without waiting: data race or assertion violation.
#include <barrier>
#include <cassert>
#include <thread>
#include <utility>

static int sum, parts[2];

static void check_sums()
{
    auto add = []() noexcept { sum += parts[0] + parts[1]; };
    std::barrier<decltype(add)> meet(2, add);
    auto work = [&](int which) {
        for (int round = 1; round <= 2; round++) {
            parts[which] = round;
#ifdef BUG
            (void)meet.arrive();
#else
            meet.arrive_and_wait();
#endif
            assert(sum == round * (round + 1));
        }
    };
    std::thread other(work, 1);
    work(0);
    other.join();
}

static void check_token()
{
    std::barrier<> meet(2);
    bool before = false;
    std::thread waiter([&] {
        auto token = meet.arrive();
        meet.wait(std::move(token));
        assert(before);
    });
    before = true;
    meet.arrive_and_wait();
    waiter.join();
}

int main()
{
    check_sums();
#ifndef BUG
    check_token();
#endif
}
