// Result: correct.
// A lock_guard keeps two threads apart.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int counter;

int main()
{
    auto work = [] {
        std::lock_guard<std::mutex> lock(mutex);
        counter++;
    };
    std::thread a(work), b(work);
    a.join();
    b.join();
    assert(counter == 2);
}
