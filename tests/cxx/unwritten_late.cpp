// A variable is written after main has returned, by the destructor of a static object.
// Result: assertion violation.
// -DDIFFERENCE by an address that is computed from a difference: assertion violation.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <pthread.h>

static std::atomic<int> value, go;

static void *reader(void *)
{
    int first = value.load();
#ifndef DIFFERENCE
    go.store(1);
#endif
    int second = value.load();
    assert(first == second);
    return nullptr;
}

#ifdef DIFFERENCE
static int base;
static std::intptr_t distance = (std::intptr_t)&value - (std::intptr_t)&base;

static void *writer(void *)
{
    go.load();
    ((std::atomic<int> *)((std::intptr_t)&base + distance))->store(1);
    return nullptr;
}

int main()
{
    pthread_t a, b;
    pthread_create(&a, nullptr, reader, nullptr);
    pthread_create(&b, nullptr, writer, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
}
#else
struct Setter {
    ~Setter()
    {
        value.store(1);
    }
};
static Setter at_the_end;

int main()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, reader, nullptr);
    while (!go.load())
        ;
}
#endif
