// A stack whose head is a structure with a counter, exchanged as a whole.  Result: correct.
// -DPADDED has padding in it: correct.
// -DLARGE is of more bytes than the processor exchanges: correct.
// -DRELAXED passes nothing on: data race.
// -DPADDED_RELAXED neither: data race.
// -DLARGE_RELAXED neither: data race.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

#if defined RELAXED || defined PADDED_RELAXED || defined LARGE_RELAXED
constexpr auto release = std::memory_order_relaxed;
#else
constexpr auto release = std::memory_order_release;
#endif

#if defined PADDED || defined PADDED_RELAXED
struct tagged {
    std::int16_t index;
    std::uint32_t tag;
};
#elif defined LARGE || defined LARGE_RELAXED
struct tagged {
    std::int64_t index;
    std::uint64_t tag, unused;
};
#else
struct tagged {
    std::int32_t index;
    std::uint32_t tag;
};
#endif

static std::atomic<tagged> head;
static int value[2], next_of[2];

static void push(int k)
{
    value[k] = k + 1;
    tagged old = head.load(std::memory_order_relaxed), fresh{};
    do {
        next_of[k] = static_cast<int>(old.index);
        fresh.index = static_cast<decltype(fresh.index)>(k);
        fresh.tag = old.tag + 1;
    } while (!head.compare_exchange_weak(old, fresh, release, std::memory_order_relaxed));
}

int main()
{
    tagged none{};
    none.index = -1;
    head.store(none, std::memory_order_relaxed);
    std::thread first([] { push(0); }), second([] { push(1); });
    const tagged top = head.load(std::memory_order_acquire);
    if (top.index >= 0)
        assert(value[top.index] == top.index + 1);
    first.join();
    second.join();
    assert(head.load(std::memory_order_relaxed).tag == 2);
}
