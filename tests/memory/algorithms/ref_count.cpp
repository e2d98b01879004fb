// A counted reference: taking one orders nothing, dropping one releases, and the last one
// acquires before it destroys.  Result: correct.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ORDER_1
#define ORDER_1 std::memory_order_release /* rmw: this owner has done with the object */
#endif
#ifndef ORDER_2
#define ORDER_2 std::memory_order_acquire /* fence: all others have done with it */
#endif

struct object {
    std::atomic<int> owners{1};
    int parts[3] = {1, 1, 1};
};

static void drop(object *o)
{
    if (o->owners.fetch_sub(1, ORDER_1) == 1) {
        std::atomic_thread_fence(ORDER_2);
        assert(o->parts[0] + o->parts[1] + o->parts[2] == 6);
        delete o;
    }
}

int main()
{
    auto *o = new object;
    o->owners.fetch_add(2, std::memory_order_relaxed);
    auto use = [o](int part) {
        o->parts[part] = 2;
        drop(o);
    };
    std::thread first(use, 0), second(use, 1);
    use(2);
    first.join();
    second.join();
}
