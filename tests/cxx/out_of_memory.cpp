// Any allocation may fail, but bad_alloc can always be thrown. Result: correct.
// Options: --malloc-may-fail
// -DLEAK a constructor that fails leaves something behind: memory error.
// Expect-LEAK: leak
#include <cassert>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct pair {
    int *first, *second;
    pair()
        : first(new int)
    {
        try {
            second = new int;
        } catch (...) {
#ifndef LEAK
            delete first;
#endif
            throw;
        }
    }
    ~pair()
    {
        delete first;
        delete second;
    }
};

struct counted {
    static inline int destroyed = 0;
    bool used = false;
    ~counted() { destroyed++; }
};
static thread_local counted of_thread;

static void append()
{
    std::vector<std::string> list;
    try {
        list.push_back("text that is too long to be kept in the object");
        list.push_back("more text that is too long to be kept in the object");
    } catch (const std::bad_alloc &) {
        assert(list.size() < 2);
    }
}

static void start()
{
    try {
        std::thread t([] { of_thread.used = true; });
        t.join();
        assert(counted::destroyed == 1);
    } catch (const std::bad_alloc &) {
    } catch (const std::system_error &) {
    }
}

int main()
{
    append();
    try {
        pair both;
    } catch (const std::bad_alloc &) {
    }
    start();
}
