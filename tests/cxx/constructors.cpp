// Result: correct.
// Global objects are made before main and destroyed after it.
#include <cassert>
#include <string>

struct Thing {
    std::string name;
    Thing(const char *n) : name(n) {}
    ~Thing() { assert(name == "changed"); }
};

static Thing thing("a name that is longer than what fits in");

int main()
{
    assert(thing.name.size() == 39);
    thing.name = "changed";
}
