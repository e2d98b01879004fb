// What newer standards have removed, and libraries of the distribution still use, without a
// warning. Result: correct.
#pragma clang diagnostic error "-Wdeprecated-declarations"
#include <algorithm>
#include <cassert>
#include <codecvt>
#include <functional>
#include <locale>
#include <memory>
#include <strstream>
#include <type_traits>

struct Twice : std::unary_function<int, int> {
    int operator()(int x) const { return 2 * x; }
};

static int sum(int x, int y)
{
    return x + y;
}

int main()
{
    std::auto_ptr<int> old(new int(2));
    std::auto_ptr<int> taken(old);
    assert(!old.get() && *taken == 2);
    std::shared_ptr<int> shared(std::move(taken));
    assert(shared.unique() && *shared == 2);

    Twice::argument_type x = 3;
    std::plus<int>::second_argument_type y = 4;
    std::result_of<int (*(int, int))(int, int)>::type (*f)(int, int) = sum;
    assert(std::bind1st(std::ptr_fun(f), x)(y) == 7);
    assert(std::not1(std::bind2nd(std::less<int>(), 2))(Twice()(1)));

    int shuffled[] = {1, 2};
    std::random_shuffle(shuffled, shuffled + 2, [](int) { return 0; });
    assert(shuffled[0] + shuffled[1] == 3);

    std::ostrstream out;
    out << 12 << std::ends;
    assert(std::string(out.str()) == "12");
    out.freeze(false);
    assert(std::wstring_convert<std::codecvt_utf8<wchar_t>>().to_bytes(L"é").size() == 2);
}
