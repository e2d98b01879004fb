// Result: correct.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> stage;
static int data;

int main()
{
    std::thread t([] {
        data = 1;
        stage = 1;
        stage.notify_one();
    });
    stage.wait(0);
    assert(data == 1);
    t.join();
}
