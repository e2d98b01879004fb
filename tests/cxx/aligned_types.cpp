// Types that must be aligned more than usual, wherever the language and the library put them:
// each is where it must be.  Result: correct.
// Options: -std=c++20
#include <cassert>
#include <cstdarg>
#include <cstdlib>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

struct alignas(64) line {
    int value = 1;
    long rest = 2;
};

struct alignas(64) plain {
    int value;
    long rest;
};

struct quad {
    alignas(16) float part[4];
};

struct alignas(16) node {
    int value;
    node *next;
};

typedef float vector __attribute__((vector_size(16)));

static thread_local char before;
static thread_local line mine;

static vector sum(vector start, int n, ...)
{
    va_list list;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        start += va_arg(list, vector);
    va_end(list);
    return start;
}

static int sum_of_several(int first, ...)
{
    va_list list;
    va_start(list, first);
    plain x = va_arg(list, plain);
    int between = va_arg(list, int);
    plain y = va_arg(list, plain);
    __int128 wide = va_arg(list, __int128);
    va_end(list);
    return first + x.value + between + y.value + static_cast<int>(wide);
}

static int by_value(line x, quad y, __int128 wide, long double number)
{
    return x.value + static_cast<int>(y.part[0]) + static_cast<int>(wide) +
           static_cast<int>(number);
}

static void on_the_heap(const line &from)
{
    auto shared = std::make_shared<line>(from);
    std::unique_ptr<line[]> several(new line[3]);
    several[1].value = shared->value;
    std::vector<line> list(5);
    list.push_back(*shared);
    list[3] = list.back();
    void *raw = std::aligned_alloc(64, 128);
    if (raw)
        static_cast<line *>(new (raw) line)->value = 2;
    std::free(raw);
}

static void in_a_buffer(const line &from)
{
    char buffer[1000];
    std::pmr::monotonic_buffer_resource resource(buffer + 1, sizeof buffer - 1);
    std::pmr::vector<line> lines(2, &resource);
    std::pmr::vector<quad> quads(3, &resource);
    lines[1] = from;
    quads[2].part[0] = 1;
    char other[300];
    void *place = other + 1;
    std::size_t room = sizeof other - 1;
    place = std::align(alignof(line), sizeof(line), place, room);
    assert(place);
    line *made = new (place) line(from);
    made->value++;
    made->~line();
}

static void in_others(const line &from)
{
    std::optional<line> maybe(from);
    std::variant<int, line> either(from);
    std::get<line>(either).value = maybe->value;
    auto held = [from] { return from.value; };
    assert(held() == 1);
    std::thread thread([copy = from]() mutable {
        copy.value++;
        mine.value += copy.value + before;
        assert(mine.value == 3);
    });
    thread.join();
    mine.value++;
}

int main()
{
    auto first = std::make_unique<line>();
    on_the_heap(*first);
    in_a_buffer(*first);
    in_others(*first);
    vector numbers = {1, 2, 3, 4};
    assert(sum(numbers, 2, numbers, numbers)[3] == 12);
    assert(sum_of_several(5, plain{1, 2}, 7, plain{1, 2}, static_cast<__int128>(5)) == 19);
    assert(by_value(*first, quad{{2}}, 3, 4.0L) == 10);
    node *head = nullptr;
    for (int i = 0; i < 3; i++)
        head = new node{i, head};
    for (int i = 2; head; i--) {
        assert(head->value == i);
        node *next = head->next;
        delete head;
        head = next;
    }
}
