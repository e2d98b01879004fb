// Result: correct.
#include <cassert>
#include <future>
#include <stdexcept>

int main()
{
    auto f = std::async(std::launch::async, [] { return 42; });
    assert(f.get() == 42);
    std::promise<int> p;
    auto g = p.get_future();
    std::thread t([&] { p.set_exception(std::make_exception_ptr(std::logic_error("no"))); });
    try {
        g.get();
        assert(false);
    } catch (const std::logic_error &) {
    }
    t.join();
}
