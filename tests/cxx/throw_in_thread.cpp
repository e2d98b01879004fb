// An exception leaves a thread's function.  Result: uncaught exception.
// Expect: uncaught exception: std::out_of_range: too far.*throw_in_thread.cpp:@throws
// -DDESTRUCTOR: it leaves a destructor: uncaught exception.
// -DSTATIC: it leaves a global object's constructor: uncaught exception.
// -DUNWINDING: a second one leaves a destructor while the first unwinds: uncaught exception.
// -DCAUGHT: all are caught: correct.
// Expect-DESTRUCTOR: uncaught exception: int
// Expect-STATIC: uncaught exception: std::out_of_range: too far
#include <cassert>
#include <stdexcept>
#include <thread>

static int far(int n)
{
    if (n > 2)
        throw std::out_of_range("too far"); // @throws
    return n;
}

#ifdef STATIC
static int made = far(3);
#endif

struct Guard {
    bool fails;
    ~Guard() noexcept(false)
    {
        if (fails)
            throw 1;
    }
};

struct Strict {
    ~Strict()
    {
#ifdef DESTRUCTOR
        throw 1;
#endif
    }
};

struct Outer {
    Strict part;
    Outer()
    {
        far(3);
    }
};

int main()
{
    int caught = 0;
    try {
        Guard guard{true};
    } catch (int n) {
        caught += n;
    }
    try {
        Outer outer;
    } catch (const std::logic_error &) {
        caught++;
    }
#ifdef UNWINDING
    try {
        Guard guard{true};
        far(3);
    } catch (...) {
    }
#endif
#ifdef CAUGHT
    std::thread([&] {
        try {
            far(3);
        } catch (...) {
            caught++;
        }
    }).join();
    assert(caught == 3);
#else
    std::thread(far, 3).join();
#endif
}
