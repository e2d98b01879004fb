// compare_exchange_weak of std::atomic may fail although it finds what it expects: of numbers, of
// pointers, of structures, of atomic_ref, and by the functions.  Result: assertion violation.
// -DPOINTER: assertion violation.  -DSTRUCTURE: assertion violation.  -DREFERENCE: assertion
// violation.  -DFUNCTION: assertion violation.  -DORDERS has two orders: assertion violation.
// -DVOLATILE is of a volatile object: assertion violation.
// -DFLOATING adds to a floating-point number, by a loop of the library: correct.
// -DSTRONG: correct.
// -DLARGE is of more bytes than the processor exchanges, where the library does it and none fails:
// correct.
// Expect: fails spuriously
#include <atomic>
#include <cassert>
#include <thread>

struct tagged {
    void *pointer;
    unsigned long tag;
};
struct large {
    long word[5];
};

static bool succeeds()
{
#if defined POINTER
    static std::atomic<int *> x;
    int *old = nullptr;
    return x.compare_exchange_weak(old, old);
#elif defined STRUCTURE
    static std::atomic<tagged> x;
    tagged old = x.load();
    return x.compare_exchange_weak(old, {nullptr, 1});
#elif defined REFERENCE
    static int x;
    int old = 0;
    return std::atomic_ref<int>(x).compare_exchange_weak(old, 1);
#elif defined FUNCTION
    static std::atomic<int> x;
    int old = 0;
    return std::atomic_compare_exchange_weak(&x, &old, 1);
#elif defined ORDERS
    static std::atomic<int> x;
    int old = 0;
    return x.compare_exchange_weak(old, 1, std::memory_order_acq_rel, std::memory_order_acquire);
#elif defined VOLATILE
    static volatile std::atomic<int> x;
    int old = 0;
    return x.compare_exchange_weak(old, 1);
#elif defined FLOATING
    static std::atomic<float> x;
    x.fetch_add(1.f);
    return x.load() == 1.f;
#elif defined STRONG
    static std::atomic<int> x;
    int old = 0;
    return x.compare_exchange_strong(old, 1);
#elif defined LARGE
    static std::atomic<large> x;
    large old = x.load();
    return x.compare_exchange_weak(old, large{{1}});
#else
    static std::atomic<int> x;
    int old = 0;
    return x.compare_exchange_weak(old, 1);
#endif
}

int main()
{
    bool ok = false;
    std::thread thread([&] { ok = succeeds(); });
    thread.join();
    assert(ok);
}
