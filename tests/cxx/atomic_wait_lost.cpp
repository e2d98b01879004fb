// Result: deadlock.
// Nobody notifies.
#include <atomic>
#include <thread>

static std::atomic<int> stage;

int main()
{
    std::thread t([] { stage = 1; });
    stage.wait(0);
    t.join();
}
