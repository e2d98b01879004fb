// A terminate handler is called where nobody catches, and sees what was thrown; with none,
// or after one that returns, the program is ended.  Result: correct.
// -DRETURNS leaves the handler: assertion violation.
// -DABORTS aborts in it: assertion violation.
// Expect-ABORTS: called by work .*terminate_handler.cpp:@throws
#include <cassert>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

static void handler()
{
    try {
        std::rethrow_exception(std::current_exception());
    } catch (const std::runtime_error &e) {
        assert(std::string(e.what()) == "lost");
    }
#ifdef ABORTS
    std::abort();
#elif !defined(RETURNS)
    std::_Exit(0);
#endif
}

static void work()
{
    throw std::runtime_error("lost"); // @throws
}

int main()
{
    assert(std::set_terminate(handler) != handler && std::get_terminate() == handler);
    work();
}
