// What the library's variables lead to, and in which order threads change them.  A memory
// resource that is the default one counts what two threads allocate.  Result: correct.
// -DBUG it counts in two steps: assertion violation.
// -DXALLOC two threads get numbers, in either order: assertion violation.
// -DXALLOC=2 claims the other order: assertion violation.
// -DBUFFER two threads print through a buffer of main's: data race.
#include <atomic>
#include <cassert>
#include <ios>
#include <iostream>
#include <memory_resource>
#include <sstream>
#include <thread>

struct Counting : std::pmr::memory_resource {
    std::atomic<int> n{0};
    void *do_allocate(std::size_t size, std::size_t) override
    {
#ifdef BUG
        n.store(n.load() + 1);
#else
        n++;
#endif
        return ::operator new(size);
    }
    void do_deallocate(void *p, std::size_t, std::size_t) override { ::operator delete(p); }
    bool do_is_equal(const memory_resource &other) const noexcept override
    {
        return this == &other;
    }
};

static void allocate()
{
    std::pmr::memory_resource *r = std::pmr::get_default_resource();
    r->deallocate(r->allocate(8, 8), 8, 8);
}

#if defined XALLOC
int main()
{
    int a, b;
    std::thread t([&] { a = std::ios_base::xalloc(); });
    std::thread u([&] { b = std::ios_base::xalloc(); });
    t.join();
    u.join();
    assert(XALLOC == 2 ? b < a : a < b);
}
#elif defined BUFFER
int main()
{
    std::stringbuf buffer;
    std::streambuf *before = std::cout.rdbuf(&buffer);
    std::thread t([] { std::cout << 'a'; });
    std::cout << 'b';
    t.join();
    std::cout.rdbuf(before);
}
#else
int main()
{
    Counting counting;
    std::pmr::set_default_resource(&counting);
    std::thread t(allocate);
    allocate();
    t.join();
    assert(counting.n == 2);
    std::pmr::set_default_resource(nullptr);
}
#endif
