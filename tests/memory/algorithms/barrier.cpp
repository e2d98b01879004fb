// A barrier whose sense changes with each round: what was written before it is read after it.
// Result: correct.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ORDER_1
#define ORDER_1 std::memory_order_acq_rel /* rmw: arrived; the last one: so have all */
#endif
#ifndef ORDER_2
#define ORDER_2 std::memory_order_release /* store: all have arrived */
#endif
#ifndef ORDER_3
#define ORDER_3 std::memory_order_acquire /* load: all have arrived */
#endif
enum { THREADS = 2, ROUNDS = 2 };

static std::atomic<int> missing{THREADS}, sense;
static int value[THREADS];

static void wait(int round)
{
    if (missing.fetch_sub(1, ORDER_1) == 1) {
        missing.store(THREADS, std::memory_order_relaxed);
        sense.store(round, ORDER_2);
    } else {
        while (sense.load(ORDER_3) != round)
            ;
    }
}

static void work(int me)
{
    for (int round = 1; round <= ROUNDS; round++) {
        value[me] = round;
        wait(2 * round - 1);
        assert(value[1 - me] == round);
        wait(2 * round);
    }
}

int main()
{
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
}
