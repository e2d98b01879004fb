// An exception that passes many frames with destructors, is thrown again in a handler,
// and is replaced by another one.  Result: correct.
#include <cassert>
#include <stdexcept>
#include <string>

static int alive;

struct Guard {
    Guard() { alive++; }
    ~Guard() { alive--; }
};

static void dive(int depth)
{
    Guard guard;
    if (depth == 0)
        throw std::runtime_error("bottom");
    try {
        dive(depth - 1);
    } catch (const std::logic_error &) {
        assert(false);
    }
}

static void translate()
{
    try {
        dive(40);
    } catch (const std::runtime_error &e) {
        assert(alive == 0);
        Guard guard;
        throw std::string(e.what()) + "s up";
    }
}

int main()
{
    try {
        try {
            translate();
        } catch (...) {
            assert(alive == 0);
            throw;
        }
    } catch (const std::string &text) {
        assert(text == "bottoms up");
        return alive;
    }
    return 1;
}
