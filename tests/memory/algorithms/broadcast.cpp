// One producer and two consumers, each of which gets every item, by a ring of two places.
// Result: correct.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ORDER_1
#define ORDER_1 std::memory_order_acquire /* load: this consumer has read the place */
#endif
#ifndef ORDER_2
#define ORDER_2 std::memory_order_release /* store: the place is written */
#endif
#ifndef ORDER_3
#define ORDER_3 std::memory_order_acquire /* load: the place has been written */
#endif
#ifndef ORDER_4
#define ORDER_4 std::memory_order_release /* store: the place is read */
#endif
enum { PLACES = 2, ITEMS = 3, CONSUMERS = 2 };

static int ring[PLACES];
static std::atomic<int> written, read[CONSUMERS];

static void produce()
{
    for (int k = 0; k < ITEMS; k++) {
        for (auto &each : read)
            while (k - each.load(ORDER_1) == PLACES)
                ;
        ring[k % PLACES] = k + 1;
        written.store(k + 1, ORDER_2);
    }
}

static void consume(int me)
{
    for (int k = 0; k < ITEMS; k++) {
        while (written.load(ORDER_3) <= k)
            ;
        assert(ring[k % PLACES] == k + 1);
        read[me].store(k + 1, ORDER_4);
    }
}

int main()
{
    std::thread producer(produce), first(consume, 0), second(consume, 1);
    producer.join();
    first.join();
    second.join();
}
