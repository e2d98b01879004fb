// Result: correct.
#include <cassert>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int a, b;

int main()
{
    std::thread writer([] {
        std::unique_lock lock(mutex);
        a++;
        b++;
    });
    {
        std::shared_lock lock(mutex);
        assert(a == b);
    }
    writer.join();
}
