// Double-checked initialisation: who finds the pointer set needs no lock.  Result: correct.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef ORDER_1
#define ORDER_1 std::memory_order_acquire /* load: the object has been made */
#endif
#ifndef ORDER_2
#define ORDER_2 std::memory_order_release /* store: the object is made */
#endif

static std::atomic<int *> instance;
static std::mutex making;
static int made;

static int *get()
{
    int *found = instance.load(ORDER_1);
    if (!found) {
        std::lock_guard<std::mutex> lock(making);
        found = instance.load(std::memory_order_relaxed);
        if (!found) {
            made++;
            found = new int(7);
            instance.store(found, ORDER_2);
        }
    }
    return found;
}

int main()
{
    auto use = [] { assert(*get() == 7); };
    std::thread first(use), second(use), third(use);
    first.join();
    second.join();
    third.join();
    assert(made == 1);
    delete instance.load(std::memory_order_relaxed);
}
