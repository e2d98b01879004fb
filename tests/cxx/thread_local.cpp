// Result: correct.
// Thread-local objects are made and destroyed by each thread that uses them.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> made, gone;
struct Own {
    int x = 5;
    Own() { made++; }
    ~Own() { gone++; }
};
static thread_local Own own;

int main()
{
    std::thread t([] { assert(own.x++ == 5); });
    t.join();
    assert(made == 1 && gone == 1);
    assert(own.x == 5);
    assert(made == 2 && gone == 1);
}
