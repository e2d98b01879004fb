// What a hash of a pointer is depends on which thread allocated first: both orders are
// looked at.  Result: assertion violation.
// -DOTHER, the other way round: assertion violation.
#include <atomic>
#include <cassert>
#include <functional>
#include <thread>

static std::atomic<int *> first, second;
static std::atomic<int> shared;

int main()
{
    std::thread a([] { shared = 1, first = new int(1); });
    std::thread b([] { shared = 1, second = new int(2); });
    a.join();
    b.join();
    std::hash<int *> hash;
    bool less = hash(first.load()) < hash(second.load());
    delete first.load();
    delete second.load();
#ifdef OTHER
    less = !less;
#endif
    assert(less);
}
