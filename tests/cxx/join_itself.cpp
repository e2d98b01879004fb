// A thread that joins itself gets an exception. Result: correct.
#include <cassert>
#include <system_error>
#include <thread>

int main()
{
    bool caught = false;
    std::jthread *self = nullptr;
    std::atomic<bool> ready = false;
    std::jthread thread([&] {
        ready.wait(false);
        try {
            self->join();
        } catch (const std::system_error &error) {
            caught = error.code() == std::errc::resource_deadlock_would_occur;
        }
    });
    self = &thread;
    ready = true;
    ready.notify_all();
    thread.join();
    assert(caught);
}
