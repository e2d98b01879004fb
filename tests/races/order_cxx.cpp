// The same in C++: a count of references that is given back relaxed lets the object go while
// another thread's use of it does not happen before.  Result: correct.
// -DRELAXED: memory error (a race of the free and the use).
#include <atomic>
#include <thread>

#ifdef RELAXED
constexpr auto order = std::memory_order_relaxed;
#else
constexpr auto order = std::memory_order_acq_rel;
#endif

struct Shared {
    std::atomic<int> count{2};
    int value = 0;
};

static void drop(Shared *shared)
{
    if (shared->count.fetch_sub(1, order) == 1)
        delete shared;
}

int main()
{
    auto *shared = new Shared;
    std::thread other([shared] {
        int seen = shared->value;
        (void)seen;
        drop(shared);
    });
    drop(shared);
    other.join();
    return 0;
}
