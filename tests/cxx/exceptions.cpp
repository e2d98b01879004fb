// Result: correct.
// Handlers by type, by base, for all; clean-up; rethrow; nested; in constructors.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>

struct Base { virtual ~Base() = default; int x = 1; };
struct Other { virtual ~Other() = default; int z = 3; };
struct Derived : Other, Base { int y = 2; };

static int cleaned;
struct Guard { ~Guard() { cleaned++; } };

static int thrower(int k)
{
    Guard guard;
    switch (k) {
    case 0: throw 42;
    case 1: throw Derived();
    case 2: throw "text";
    case 3: throw new int(5);
    case 4: throw std::logic_error("wrong");
    default: return k;
    }
}

static int test(int k)
{
    try {
        return thrower(k);
    } catch (int x) {
        return x;
    } catch (const Base &b) {
        return 100 + b.x;
    } catch (const char *text) {
        return text[0];
    } catch (int *p) {
        int x = *p;
        delete p;
        return x;
    } catch (const std::exception &e) {
        return std::string(e.what()) == "wrong" ? 200 : 0;
    }
}

struct Member { Member() { built++; } ~Member() { built--; } static int built; };
int Member::built;
struct Whole {
    Member member;
    Whole() { throw 1; }
};

static void rethrow()
{
    try {
        throw Derived();
    } catch (Base &b) {
        b.x = 7;
        throw;
    }
}

int main()
{
    assert(test(0) == 42);
    assert(test(1) == 101);
    assert(test(2) == 't');
    assert(test(3) == 5);
    assert(test(4) == 200);
    assert(test(5) == 5);
    assert(cleaned == 6);
    try {
        Whole whole;
        assert(false);
    } catch (...) {
        assert(Member::built == 0);
    }
    try {
        rethrow();
        assert(false);
    } catch (Derived &d) {
        assert(d.x == 7);
    }
    try {
        try {
            throw std::runtime_error("inner");
        } catch (...) {
            std::throw_with_nested(std::runtime_error("outer"));
        }
    } catch (const std::exception &e) {
        try {
            std::rethrow_if_nested(e);
            assert(false);
        } catch (const std::exception &inner) {
            assert(std::string(inner.what()) == "inner");
        }
    }
    assert(std::uncaught_exceptions() == 0);
}
