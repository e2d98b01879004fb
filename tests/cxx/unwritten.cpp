// A variable is loaded twice; who can write it in between?  Result: correct.
// -DDIRECT another thread: assertion violation.
// -DFUNCTION in a function object: assertion violation.
// -DVIRTUAL in a virtual function: assertion violation.
// -DCATCH in a handler of an exception: assertion violation.
// -DUNWIND in a destructor, when an exception passes: assertion violation.
// -DSTATIC in the destructor of a static object: assertion violation.
// -DLOCAL in the destructor of a thread-local object: assertion violation.
// -DREFERENCE by a reference: assertion violation.
#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <thread>

static std::atomic<int> value, other;

static void set()
{
    value.store(1);
}

struct Setter {
    ~Setter()
    {
        set();
    }
};

#ifdef STATIC
static Setter at_the_end;
#endif

struct Base {
    virtual ~Base() = default;
    virtual void act() = 0;
};
#ifdef VIRTUAL
struct Derived : Base {
    void act() override
    {
        set();
    }
};
static std::unique_ptr<Base> object = std::make_unique<Derived>();
#endif
#ifdef FUNCTION
static std::function<void()> function = set;
#endif
#ifdef REFERENCE
static std::atomic<int> &reference = value;
#endif

[[maybe_unused]] static void fail()
{
    if (other.load() == 0)
        throw 1;
}

static void reader()
{
    int first = value.load();
    int second = value.load();
    assert(first == second);
}

static void writer()
{
    other.load();
#if defined DIRECT
    set();
#elif defined FUNCTION
    function();
#elif defined VIRTUAL
    object->act();
#elif defined CATCH
    try {
        fail();
    } catch (int) {
        set();
    }
#elif defined UNWIND
    try {
        Setter setter;
        fail();
    } catch (int) {
    }
#elif defined LOCAL
    static thread_local Setter setter;
    (void)&setter;
    other.load();
#elif defined REFERENCE
    reference = 1;
#endif
}

int main()
{
    std::thread a(reader), b(writer);
    b.join();
#ifdef STATIC
    a.detach();
#else
    a.join();
#endif
}
