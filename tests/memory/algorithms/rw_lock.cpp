// A reader-writer lock in one number: how many read, or -1 while one writes.  Result: correct.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ORDER_1
#define ORDER_1 std::memory_order_acquire /* rmw: the last writer is done */
#endif
#ifndef ORDER_2
#define ORDER_2 std::memory_order_release /* rmw: this reader is done */
#endif
#ifndef ORDER_3
#define ORDER_3 std::memory_order_acquire /* rmw: all readers and the last writer are done */
#endif
#ifndef ORDER_4
#define ORDER_4 std::memory_order_release /* store: the writer is done */
#endif

static std::atomic<int> readers;
static int a, b;

static int read()
{
    int n = readers.load(std::memory_order_relaxed);
    do
        while (n < 0)
            n = readers.load(std::memory_order_relaxed);
    while (!readers.compare_exchange_strong(n, n + 1, ORDER_1, std::memory_order_relaxed));
    int found = a;
    assert(found == b);
    readers.fetch_sub(1, ORDER_2);
    return found;
}

static void write()
{
    for (int none = 0;
         !readers.compare_exchange_strong(none, -1, ORDER_3, std::memory_order_relaxed);)
        none = 0;
    a++;
    b++;
    readers.store(0, ORDER_4);
}

int main()
{
    std::thread writer(write), reader([] { assert(read() <= 2); });
    write();
    assert(read() >= 1);
    writer.join();
    reader.join();
    assert(a == 2);
}
