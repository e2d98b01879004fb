// Two threads use one coroutine, and one of them destroys it: what the compiler adds to a
// coroutine has no line, and is reported where the coroutine is.  Result: data race.
// -DRESUME has both go on with it: data race.
// -DFIRST waits in between: correct.
// Expect: data race: walk at coroutine_race.cpp:@walk \(read .* and walk at coroutine_race.cpp
#include <coroutine>
#include <thread>

struct task {
    struct promise_type {
        task get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend()
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
        }
    };
    std::coroutine_handle<promise_type> handle;
};

static task walk(int *steps) // @walk
{
    ++*steps;
    co_await std::suspend_always{};
    ++*steps;
}

int main()
{
    int steps = 0;
    task t = walk(&steps);
#ifdef RESUME
    std::thread other([t] { t.handle.resume(); });
    t.handle.resume();
    other.join();
    t.handle.destroy();
#elif defined(FIRST)
    std::thread other([t] { t.handle.resume(); });
    other.join();
    t.handle.resume();
    t.handle.destroy();
    return steps - 2;
#else
    std::thread other([t] { t.handle.destroy(); });
    t.handle.resume();
    other.join();
#endif
}
