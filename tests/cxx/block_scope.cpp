// Local variables end with their block, temporaries with their expression.  Result: correct.
// -DLOOP gives threads the variable of a loop: data race or memory error.
// -DROUND gives them that of a round: memory error.
// -DTHREAD declares the thread before what it uses: memory error.
// -DREFERENCE of a temporary that a function passed on: memory error.
// -DVIEW of a temporary string: memory error.
// -DRANGE goes through a part of a temporary: memory error.
// -DLIST keeps the list of values, but not the values: memory error.
// -DLAMBDA calls what names a variable of a block: memory error.
// -DPOINTER is left by a unique_ptr that ended: memory error.
// Expect-ROUND: x of main, which ended at .*block_scope.cpp:@round
#include <algorithm>
#include <cassert>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct Items {
    int values[3] = {1, 2, 3};
    const int (&all() const)[3] { return values; }
};

struct Sum {
    std::initializer_list<int> values;
    explicit Sum(std::initializer_list<int> v) : values(v) {}
    int operator()() const
    {
        int sum = 0;
        for (int v : values)
            sum += v;
        return sum;
    }
};

static const int &larger(const int &a, const int &b)
{
    return a < b ? b : a;
}

static int thrown(int depth)
{
    for (int i = 0;; i++) {
        std::string text = "a text that is longer than a short one " + std::to_string(i);
        try {
            std::string inner = text + "!";
            if (i == depth)
                throw std::runtime_error(inner);
        } catch (const std::runtime_error &e) {
            return std::string(e.what()).size() > text.size();
        }
    }
}

static int right_uses()
{
    std::vector<std::string> words = {"one", "two", "three"};
    size_t n = 0;
    for (const auto &w : words) {
        std::string_view view = w;
        n += view.size();
    }
    const std::string &extended = std::string("lives as long as its reference");
    n += std::string("ends with the expression").size() + extended.size();
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++) {
        int x = i;
        threads.emplace_back([x, i] { assert(x == i); });
    }
    for (auto &t : threads)
        t.join();
    for (int i = 0; i < 2; i++) {
        int x = i;
        std::thread([&] { x++; }).join();
        n += x;
    }
    return n + larger(1, 2) + Sum({1, 2})() + thrown(2);
}

int main()
{
    assert(right_uses() > 0);
    int got = 0;
#if defined(LOOP)
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++)
        threads.emplace_back([&] { assert(i < 3); });
    for (auto &t : threads)
        t.join();
#elif defined(ROUND)
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++) {
        int x = i;
        threads.emplace_back([&] { assert(x < 2); });
    } // @round
    for (auto &t : threads)
        t.join();
#elif defined(THREAD)
    {
        std::jthread t;
        int x = 1;
        t = std::jthread([&] { assert(x == 1); });
    }
#elif defined(REFERENCE)
    const int &r = larger(1, got + 2);
    got = r;
#elif defined(VIEW)
    std::string_view view = std::string("short");
    got = view[0];
#elif defined(RANGE)
    for (int v : Items().all())
        got += v;
#elif defined(LIST)
    Sum sum({1, 2, 3});
    got = sum();
#elif defined(LAMBDA)
    std::function<int()> f;
    {
        int x = 1;
        f = [&x] { return x; };
    }
    got = f();
#elif defined(POINTER)
    int **p;
    {
        struct Holder {
            int *held;
        } h{&got};
        p = &h.held;
    }
    **p = 1;
#endif
    return got < 0;
}
