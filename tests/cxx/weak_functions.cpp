// Every function that takes an order, each with a weak one. Result: correct.
// -DSTRONG has those only that the library's functions are made of, and fences: correct.
// Expect: complete under C11's memory model \(weak_functions.cpp:@first is consume, and 16 more\)
// Expect-STRONG: transitions, complete$
#include <atomic>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>

struct large {
    char bytes[24];
};

std::atomic<int> x;
std::atomic<double> number;
std::atomic<long double> wide; // a loop in the library
std::atomic<large> object;     // calls of the compiler's functions
std::atomic_flag flag;
auto shared = std::make_shared<int>(1);
int plain;
double plain_number;

void use_library()
{
    auto other = shared;
    std::latch latch(1);
    latch.count_down();
    latch.wait();
    std::counting_semaphore<3> semaphore(1);
    semaphore.acquire();
    semaphore.release();
    std::once_flag once;
    std::call_once(once, [] {});
    std::promise<int> promise;
    promise.set_value(1);
    promise.get_future().get();
    std::atomic_thread_fence(std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_acquire);
}

void use_defaults()
{
    large value = object.load();
    int old = x++, wanted = 2;
    x = 3;
    x += 2;
    x.wait(old);
    x.compare_exchange_weak(old, 1);
    number += 1;
    number.fetch_sub(1);
    wide += 1;
    wide.fetch_add(1);
    object.store(value);
    object.exchange(value);
    object.compare_exchange_strong(value, value);
    flag.test_and_set();
    flag.clear();
    flag.test();
    std::atomic_ref(plain).fetch_add(1);
    std::atomic_ref(plain).compare_exchange_weak(wanted, 1);
    std::atomic_ref(plain_number).fetch_add(1);
    std::atomic_load(&shared);
}

#ifndef STRONG
void use_weak()
{
    large value{};
    int old = x.load(std::memory_order_consume); // @first
    x.compare_exchange_weak(old, 1, std::memory_order_acq_rel);
    x.compare_exchange_weak(old, 1, std::memory_order_seq_cst, std::memory_order_relaxed);
    x.wait(-1, std::memory_order_acquire);
    number.fetch_add(1, std::memory_order_acq_rel);
    wide.fetch_add(1, std::memory_order_release);
    object.load(std::memory_order_acquire);
    object.compare_exchange_strong(value, value, std::memory_order_acq_rel);
    object.compare_exchange_strong(value, value, std::memory_order_seq_cst,
                                   std::memory_order_acquire);
    flag.test_and_set(std::memory_order_acquire);
    flag.clear(std::memory_order_release);
    std::atomic_ref(plain).store(1, std::memory_order_release);
    std::atomic_ref(plain).fetch_add(1, std::memory_order_relaxed);
    std::atomic_ref(plain_number).fetch_add(1, std::memory_order_relaxed);
    std::atomic_fetch_add_explicit(&x, 1, std::memory_order_relaxed);
    std::atomic_flag_test_and_set_explicit(&flag, std::memory_order_relaxed);
    std::atomic_load_explicit(&shared, std::memory_order_relaxed);
}
#endif

int main()
{
    use_library();
    use_defaults();
#ifndef STRONG
    use_weak();
#endif
}
