// Compare-exchange of structures with padding: from C++20 on it does not count, whatever it
// holds.
// Result: correct.
// -DUNSET compares with a member that was never set: undefined value.
// -DDIFFERENT takes it that what has other values is exchanged: assertion violation.
// -DUNION takes it that the unused part of a union is the same: assertion violation.
// Options: --spurious-failures=no
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

struct small {
    char tag;
    int count;
};
struct wide {
    void *p;
    unsigned tag;
};
struct large {
    char tag;
    long count;
    char end;
};
struct fields {
    int low : 5;
    int high : 11;
};
struct derived : small {
    char more[5];
};
union either {
    int small;
    long large;
};

static std::atomic<small> first{small{1, 2}};

template <class T> static T with(int byte, T value)
{
    T result;
    std::memset(&result, byte, sizeof result);
    if constexpr (std::is_same_v<T, small>)
        result.tag = value.tag, result.count = value.count;
    else if constexpr (std::is_same_v<T, wide>)
        result.p = value.p, result.tag = value.tag;
    else if constexpr (std::is_same_v<T, large>)
        result.tag = value.tag, result.count = value.count, result.end = value.end;
    else if constexpr (std::is_same_v<T, fields>)
        result.low = value.low, result.high = value.high;
    return result;
}

template <class T> static void test(T value, T other)
{
    std::atomic<T> object{value};
    T want = with(0xff, value), made = value;
    assert(object.compare_exchange_strong(want, with(0x55, other)));
    want = with(0xaa, value);
    assert(!object.compare_exchange_strong(want, value));
    assert(object.compare_exchange_strong(want, made));
    T seen = object.load();
    assert(object.compare_exchange_weak(made, with(0, other)));
    assert(object.compare_exchange_weak(other, with(1, seen)));
#ifdef DIFFERENT
    assert(object.compare_exchange_strong(other, seen));
#endif
}

int main()
{
    small want;
    want.tag = 1;
    want.count = 2;
    assert(first.compare_exchange_strong(want, small{3, 4}));
    test(small{1, 2}, small{1, 3});
    test(wide{&want, 2}, wide{nullptr, 2});
    test(large{1, 2, 3}, large{1, 2, 4});
    test(fields{1, 2}, fields{-1, 2});
    derived d{}, e;
    std::memset(static_cast<void *>(&e), 0xee, sizeof e);
    e.tag = 0, e.count = 0;
    std::memset(e.more, 0, sizeof e.more);
    std::atomic<derived> last{d};
    assert(last.compare_exchange_strong(e, d));
    alignas(8) small plain;
    plain.tag = 1, plain.count = 2;
    small other = with(0x77, plain);
    assert(std::atomic_ref<small>(plain).compare_exchange_strong(other, small{7, 8}));
    assert(plain.count == 8);
#ifdef UNSET
    small unset;
    unset.tag = 3;
    return first.compare_exchange_strong(unset, want);
#endif
#ifdef UNION
    either some;
    some.small = 1;
    std::atomic<either> unions{some};
    assert(unions.compare_exchange_strong(some, some));
#endif
    std::thread thread([] { first.store(small{1, 1}); });
    small now = first;
    while (!first.compare_exchange_strong(now, small{now.tag, now.count + 1}))
        ;
    thread.join();
    now = first;
    std::thread changes([&] {
        first.store(with(0x11, small{2, 2}));
        first.notify_one();
    });
    first.wait(with(0x22, now));
    first.wait(small{1, 1});
    changes.join();
}
