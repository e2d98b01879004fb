// The program has operators of its own.  The libraries' others call these, so what they make
// and free is the program's.  Result: correct.
// -DARRAYS those of arrays, too: correct.
// -DSIZED delete by a size, too: correct.
// -DCOUNTED objects have a head, and are smaller than what malloc gave: correct.
// -DMALLOC the program has a malloc instead, which makes everything: correct.
// -DNO_DELETE delete is the library's, which takes only what its new made: memory error.
// -DNO_NEW new is the library's, and what it made is given to free: memory error.
// -DNO_ARRAY_DELETE likewise for arrays: memory error.
// Expect-NO_DELETE: mismatched deallocation: delete of what malloc made
// Expect-NO_NEW: mismatched deallocation: free of what new made
// Expect-NO_ARRAY_DELETE: mismatched deallocation: delete\[\] of what malloc made
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

static int made, freed;

#if defined MALLOC
static char room[1 << 14];
static std::size_t used;
extern "C" {
void *malloc(std::size_t n)
{
    void *p = room + used;
    used += (n + 63) / 64 * 64;
    made++;
    return p;
}
void *calloc(std::size_t n, std::size_t size) { return malloc(n * size); }
void *realloc(void *p, std::size_t n) { return p ? std::memcpy(malloc(n), p, n) : malloc(n); }
void free(void *p) { freed += p != nullptr; }
}
#elif defined COUNTED
void *operator new(std::size_t size)
{
    auto *head = static_cast<std::size_t *>(std::malloc(size + 16));
    *head = size;
    made++;
    return head + 2;
}
void operator delete(void *p) noexcept
{
    freed += p != nullptr;
    std::free(p ? static_cast<std::size_t *>(p) - 2 : p);
}
#else
#if !defined NO_NEW && !defined NO_ARRAY_DELETE
void *operator new(std::size_t size)
{
    made++;
    if (void *p = std::malloc(size))
        return p;
    throw std::bad_alloc();
}
#endif
#if !defined NO_DELETE && !defined NO_ARRAY_DELETE
void operator delete(void *p) noexcept
{
    freed += p != nullptr;
    std::free(p);
}
#endif
#if defined ARRAYS || defined NO_ARRAY_DELETE
void *operator new[](std::size_t size)
{
    made++;
    return std::malloc(size);
}
#endif
#ifdef ARRAYS
void operator delete[](void *p) noexcept
{
    freed += p != nullptr;
    std::free(p);
}
#endif
#ifdef SIZED
void operator delete(void *p, std::size_t) noexcept { ::operator delete(p); }
#endif
#endif

struct Object {
    int a = 1;
    ~Object() { a = 0; }
};

static void use()
{
    delete new int(1);
    delete[] new int[3];
    delete new Object;
    delete[] new Object[3];
    delete new (std::nothrow) int(1);
    delete[] new (std::nothrow) int[3];
    std::vector<int> v{1, 2, 3};
    std::string s(40, 'a');
    auto shared = std::make_shared<Object>();
    std::shared_ptr<int> other(new int(1));
}

int main()
{
    use();
    assert(made >= 10 && made == freed);
}
