// Result: correct.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int calls;

int main()
{
    auto work = [] {
        std::call_once(flag, [] { calls++; });
        assert(calls == 1);
    };
    std::thread t(work);
    work();
    t.join();
}
