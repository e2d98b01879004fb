// Memory is taken back by what goes with what has made it, by the program and by the libraries.
// Result: correct.
// -DTHREAD by another thread: correct.
// -DTHROW a constructor throws, which frees: correct.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#include <algorithm>
#include <any>
#include <cassert>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <typeinfo>
#include <valarray>
#include <vector>

struct Base {
    virtual ~Base() = default;
    int a = 1;
};
struct Derived : Base {
    int b[3] = {};
};
struct Object {
    int a = 1;
    ~Object() { a = 0; }
};
struct alignas(64) Line {
    int a = 1;
    ~Line() { a = 0; }
};
struct Throws {
    Throws() { throw 1; }
};
struct alignas(64) ThrowsAligned {
    ThrowsAligned() { throw 1; }
};
// its own, and for less than the whole object
struct Own {
    static void *operator new(std::size_t size) { return std::malloc(size); }
    static void operator delete(void *p) { std::free(p); }
    int a = 1;
};
// an object with room behind it
struct Tail {
    int n;
    static Tail *make(int n) { return new (::operator new(sizeof(Tail) + n)) Tail{n}; }
    static void destroy(Tail *t) { ::operator delete(t); }
};
struct Free {
    void operator()(void *p) const { std::free(p); }
};

static constexpr std::align_val_t wide{64};

static void operators()
{
    delete new int(1);
    delete[] new int[3];
    delete[] new int[0];
    delete new Object;
    delete[] new Object[2];
    delete new Line;
    delete[] new Line[2];
    delete static_cast<Base *>(new Derived);
    delete new Own;
    delete new (std::nothrow) int(1);
    delete[] new (std::nothrow) int[2];
    delete new (std::nothrow) Line;
    ::operator delete(::operator new(0));
    ::operator delete(::operator new(0), 0ul);
    ::operator delete(::operator new(5), 5ul);
    ::operator delete(::operator new(5, wide), 5ul, wide);
    ::operator delete(::operator new(5, wide), wide);
    ::operator delete[](::operator new[](5, wide), wide);
    ::operator delete[](::operator new[](5), 5ul);
    ::operator delete[](::operator new[](5, std::nothrow), std::nothrow);
    ::operator delete(::operator new(5, wide, std::nothrow), wide, std::nothrow);
    ::operator delete(nullptr);
    ::operator delete[](nullptr, 3ul);
    delete static_cast<Derived *>(nullptr);
    Tail::destroy(Tail::make(9));
}

static void from_c()
{
    std::free(std::calloc(2, 4));
    std::free(std::realloc(std::malloc(1), 4));
    std::free(aligned_alloc(64, 64));
    std::free(strdup("text"));
    void *p = nullptr;
    if (posix_memalign(&p, 64, 4) == 0)
        std::free(p);
    char *text = nullptr;
    if (asprintf(&text, "%d", 1) > 0)
        std::free(text);
    std::unique_ptr<Object, Free> placed;
    if (void *room = std::malloc(sizeof(Object)))
        placed.reset(new (room) Object);
    void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(mremap(page, 4096, 8192, MREMAP_MAYMOVE), 8192);
    page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    munmap(page, 4096);
}

static void streams()
{
    char *text = nullptr;
    std::size_t n = 0;
    if (FILE *file = open_memstream(&text, &n)) {
        std::fputs("text\n", file);
        std::fclose(file);
        std::free(text);
    }
    char line[] = "line\n", *got = nullptr;
    n = 0;
    if (FILE *file = fmemopen(line, sizeof line - 1, "r")) {
        getline(&got, &n, file);
        std::fclose(file);
    }
    std::free(got);
    int status = 0;
    std::free(abi::__cxa_demangle("_ZN1a1bIiEEvT_", nullptr, nullptr, &status));
}

struct Task {
    struct promise_type {
        Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

static Task coroutine(std::string text)
{
    co_await std::suspend_always();
    assert(text.size() == 40);
}

static void library()
{
    std::vector<int> v{1, 2, 3};
    v.push_back(4);
    std::vector<bool> bits(100, true);
    std::string s(40, 'a');
    s += std::string(100, 'b');
    std::map<std::string, int> map{{std::string(40, 'c'), 1}};
    std::list<int> list{1, 2};
    std::deque<int> deque(100, 1);
    std::valarray<int> numbers(3);
    std::function<int()> f = [v, s] { return v[0]; };
    std::any any = s;
    std::shared_ptr<Base> a = std::make_shared<Derived>(), b(new Derived);
    std::shared_ptr<int[]> c(new int[3]), d = std::make_shared<int[]>(3);
    std::shared_ptr<Line> e = std::make_shared<Line>();
    std::unique_ptr<Object[]> g(new Object[2]), h = std::make_unique<Object[]>(2);
    std::vector<Line> lines(3);
    std::allocator<int> allocator;
    allocator.deallocate(allocator.allocate(3), 3);
    std::return_temporary_buffer(std::get_temporary_buffer<int>(3).first);
    std::stable_sort(v.begin(), v.end());
    std::ostringstream out;
    out << s << v[0];
    Task task = coroutine(std::string(40, 'd'));
    task.handle.resume();
    task.handle.resume();
    task.handle.destroy();
    auto *resource = std::pmr::new_delete_resource();
    resource->deallocate(resource->allocate(8), 8);
    resource->deallocate(resource->allocate(8, 128), 8, 128);
    std::pmr::monotonic_buffer_resource pool;
    std::pmr::vector<int> pooled({1, 2, 3}, &pool);
    std::exception_ptr error = std::make_exception_ptr(std::runtime_error("x"));
    try {
        std::rethrow_exception(error);
    } catch (const std::exception &) {
    }
}

int main()
{
#ifdef THREAD
    auto *p = new std::vector<Line>(2);
    int *q = new int[3];
    std::thread([=] { delete p; }).join();
    delete[] std::async([=] { return q; }).get();
#elif defined THROW
    for (int k = 0; k < 4; k++)
        try {
            if (k == 0)
                delete new Throws;
            else if (k == 1)
                delete new ThrowsAligned;
            else if (k == 2)
                delete[] new (std::nothrow) Throws[2];
            else
                delete[] new ThrowsAligned[2];
        } catch (int) {
        }
#else
    operators();
    from_c();
    streams();
    library();
#endif
}
