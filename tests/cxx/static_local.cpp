// Result: correct.
// A static local is made once, by whoever comes first.
#include <cassert>
#include <thread>

static int made;
struct Thing {
    int x;
    Thing() : x(7) { made++; }
};

static Thing &thing()
{
    static Thing it;
    return it;
}

int main()
{
    std::thread t([] { assert(thing().x == 7); });
    assert(thing().x == 7);
    t.join();
    assert(made == 1);
}
