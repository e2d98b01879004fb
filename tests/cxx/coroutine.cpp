// Result: correct.
#include <cassert>
#include <coroutine>
#include <exception>

struct Generator {
    struct promise_type {
        int value;
        Generator get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int x)
        {
            value = x;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
    ~Generator() { handle.destroy(); }
    bool next()
    {
        handle.resume();
        return !handle.done();
    }
};

static Generator count(int n)
{
    for (int i = 0; i < n; i++)
        co_yield i;
}

int main()
{
    Generator g = count(3);
    int sum = 0;
    while (g.next())
        sum += g.handle.promise().value;
    assert(sum == 3);
}
