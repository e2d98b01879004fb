// A static local variable that one thread makes, and that others find made without a call, in a program with
// relaxed accesses: what its constructor wrote comes before.  Result: correct.
// -DLOOKED=1..2 looks at a flag first, which orders nothing: correct.
// -DWITHOUT finds a variable made that is not the one whose constructor wrote: data race.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> made{0}, used{0};
static int beside;

struct Table {
    int value;
    Table()
    {
        value = 1;
#ifndef WITHOUT
        beside = 1;
#endif
        made.store(1, std::memory_order_relaxed);
    }
};

static Table &table()
{
    static Table only;
    return only;
}

static void first()
{
    assert(table().value == 1);
#ifdef WITHOUT
    beside = 1;
#endif
    used.store(1, std::memory_order_relaxed);
}

static void second()
{
#if LOOKED == 1
    made.load(std::memory_order_relaxed);
#elif LOOKED == 2
    if (!used.load(std::memory_order_relaxed))
        return;
#endif
    assert(table().value == 1);
    int seen = beside;
    (void)seen;
}

int main()
{
    std::thread one(first), other(second);
    one.join();
    other.join();
}
