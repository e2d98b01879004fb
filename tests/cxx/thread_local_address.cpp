// Thread-local variables that begin with the address of a part of one are each thread's own.
// Result: correct.
// Options: -O1
#include <cassert>
#include <string>
#include <thread>

struct List {
    int first, second;
    int *last;
};
static thread_local List list{1, 2, &list.second};
static thread_local int array[4];
static thread_local int *middle = &array[2];
static thread_local std::string text = "a text that is too long for the string itself";

[[gnu::noinline]] static int *begin() { return array; }

static void look()
{
    assert(*list.last == 2 && list.last == &list.second);
    assert(middle - begin() == 2);
    text += ".";
    assert(text.size() == 46 && text.back() == '.');
}

int main()
{
    look();
    std::thread thread(look);
    thread.join();
}
