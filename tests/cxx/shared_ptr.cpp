// Result: correct.
// Two threads own an object; the last one destroys it, once.
#include <cassert>
#include <memory>
#include <thread>

static int destroyed;
struct Owned {
    int x = 1;
    ~Owned() { destroyed++; }
};

int main()
{
    auto p = std::make_shared<Owned>();
    std::weak_ptr<Owned> w = p;
    std::thread t([q = p] { assert(q->x == 1); });
    p.reset();
    t.join();
    assert(destroyed == 1 && w.expired());
}
