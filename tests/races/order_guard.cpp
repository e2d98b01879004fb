// Static locals, shared_ptr, call_once and promise order what they make known, also in a
// program with a relaxed counter of its own.  Result: correct.
#include <atomic>
#include <cassert>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

static std::atomic<int> calls{0};
static std::once_flag once;
static int made;

static const int &table()
{
    static const int value = [] { return 42; }();
    calls.fetch_add(1, std::memory_order_relaxed);
    return value;
}

int main()
{
    auto shared = std::make_shared<int>(1);
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread other([shared, &promise]() mutable {
        assert(table() == 42 && *shared == 1);
        std::call_once(once, [] { made = 1; });
        assert(made == 1);
        shared.reset();
        promise.set_value(5);
    });
    assert(table() == 42);
    shared.reset();
    std::call_once(once, [] { made = 1; });
    assert(made == 1 && future.get() == 5);
    other.join();
    assert(calls.load(std::memory_order_relaxed) == 2);
}
