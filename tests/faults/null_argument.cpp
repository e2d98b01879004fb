// Null where there is to be an object: a member function of none.  Result: memory error.
// -DREFERENCE: a reference to none: memory error.
// -DRESULT: a function returns one: memory error.
// -DATTRIBUTE: a function says itself that it does not take null: memory error.
// -DOTHERS: what may be null: correct.
// Expect: null pointer dereference
// Expect: null_argument.cpp:@here
#include <memory>
#include <vector>

struct thing {
    int number = 0;
    bool is_there() { return true; }
    static bool is_known() { return true; }
};

[[maybe_unused]] static bool take(thing &) { return true; }
[[maybe_unused]] static thing &give(thing *p) { return *p; }
[[maybe_unused]] __attribute__((nonnull(1))) static bool need(thing *, thing *) { return true; }

static thing *find(int n)
{
    static thing one;
    return n ? nullptr : &one;
}

int main(int argc, char **)
{
    thing *p = find(argc);
#ifdef REFERENCE
    bool good = take(*p);
#elif defined RESULT
    bool good = &give(p) == find(argc);
#elif defined ATTRIBUTE
    bool good = need(p, p);
#elif defined OTHERS
    std::unique_ptr<thing> none(p);
    std::vector<thing> empty, other(empty.begin(), empty.end());
    delete p;
    bool good = p->is_known() && need(find(0), p) && other.empty();
#else
    bool good = p->is_there(); // @here
#endif
    return !good;
}
