// Result: correct.
// An exception crosses from one thread to another.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

int main()
{
    std::exception_ptr caught;
    std::thread t([&] {
        try {
            throw std::out_of_range("far");
        } catch (...) {
            caught = std::current_exception();
        }
    });
    t.join();
    bool seen = false;
    try {
        std::rethrow_exception(caught);
    } catch (const std::out_of_range &e) {
        seen = std::string(e.what()) == "far";
    }
    assert(seen);
}
