// Result: correct.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> seen;

int main()
{
    {
        std::jthread t([](std::stop_token stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            seen = true;
        });
    }
    assert(seen);
}
