// What a function may throw was a part of its declaration up to C++14: the unexpected handler
// may throw something else instead. Result: correct.
// -DNOTHING nothing may be thrown: uncaught exception.
// -DOTHER the handler throws what is not allowed either: uncaught exception.
// Options: -std=c++14
#include <cassert>
#include <exception>
#include <stdexcept>

static int destroyed;

struct Thrown {
    ~Thrown() { destroyed++; }
};

static void translate()
{
#ifdef OTHER
    throw 'c';
#else
    throw std::runtime_error("instead");
#endif
}

static void again()
{
    throw;
}

static void one() throw(std::exception)
{
    throw Thrown();
}

static void bad() throw(int, std::bad_exception)
{
    throw Thrown();
}

static void none() throw()
{
    throw 1;
}

int main()
{
    std::set_unexpected(translate);
    try {
        one();
    } catch (const std::runtime_error &e) {
        assert(e.what()[0] == 'i' && destroyed == 1);
    }
    assert(!std::current_exception());
    for (auto handler : {translate, again}) {
        std::set_unexpected(handler);
        try {
            bad();
        } catch (const std::bad_exception &) {
        }
    }
    assert(destroyed == 3 && !std::current_exception());
#ifdef NOTHING
    none();
#else
    (void)none;
#endif
}
