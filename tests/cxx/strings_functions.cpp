// Result: correct.
// Strings, views, conversions; std::function, bind, member pointers, algorithms.
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <cassert>
#include <charconv>
#include <chrono>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory_resource>
#include <numeric>
#include <random>
#include <ratio>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

struct Account {
    int money = 10;
    int add(int n)
    {
        return money += n;
    }
};

static int call(const std::function<int(int)> &f, int x)
{
    return f ? f(x) : -1;
}

static void strings()
{
    std::string s = "short", t(40, 'x');
    s.insert(2, "---").replace(0, 2, "SH").append(t, 0, 3);
    assert(s == "SH---ortxxx" && s.find("ort") == 5 && s.substr(2, 3) == "---");
    std::string moved = std::move(t);
    assert(moved.size() == 40 && t.empty());
    std::string_view view = s;
    view.remove_prefix(5);
    assert(view.compare("ortxxx") == 0);
    assert(std::stoi("-17") == -17 && std::stod("0.25") == 0.25 &&
           std::to_string(3.5) == "3.500000");
    int n;
    char digits[8];
    auto [end, problem] = std::from_chars("42z", "42z" + 3, n);
    assert(n == 42 && *end == 'z' && problem == std::errc{});
    assert(std::to_chars(digits, digits + 8, 255, 16).ptr - digits == 2 &&
           !memcmp(digits, "ff", 2));
    std::wstring wide = L"weit";
    std::u8string eight = u8"\u00e4";
    assert(wide.length() == 4 && eight.size() == 2);
}

static void functions()
{
    Account account;
    std::function<int(int)> f;
    assert(call(f, 1) == -1);
    f = [&account](int x) { return account.money + x; };
    std::function<int(int)> copy = f, by_member = std::bind(&Account::add, &account,
                                                            std::placeholders::_1);
    assert(call(copy, 1) == 11 && call(by_member, 5) == 15 && call(f, 0) == 15);
    assert(std::invoke(&Account::money, account) == 15 &&
           std::mem_fn(&Account::add)(account, 1) == 16);
    try {
        std::function<void()>{}();
        assert(!"reached");
    } catch (const std::bad_function_call &) {
    }
}

static void algorithms()
{
    std::array<int, 6> a{3, 1, 2, 6, 5, 4};
    std::nth_element(a.begin(), a.begin() + 2, a.end());
    assert(a[2] == 3);
    std::sort(a.begin(), a.end());
    assert(std::binary_search(a.begin(), a.end(), 5) &&
           std::accumulate(a.begin(), a.end(), 0) == 21);
    std::vector<int> even;
    std::copy_if(a.begin(), a.end(), std::back_inserter(even),
                 [](int x) { return x % 2 == 0; });
    assert((even == std::vector<int>{2, 4, 6}) && std::gcd(12, 18) == 6);
    std::mt19937 random(1);
    assert(random() == 1791095845u);
    assert(std::bitset<8>("1010").count() == 2 && std::any_cast<int>(std::any(3)) == 3);
    using namespace std::chrono_literals;
    assert(std::chrono::duration_cast<std::chrono::seconds>(90min).count() == 5400);
    std::byte room[256];
    std::pmr::monotonic_buffer_resource pool(room, sizeof room);
    std::pmr::vector<int> pooled({1, 2, 3}, &pool);
    assert(static_cast<void *>(pooled.data()) >= room);
    std::istringstream in("3 4 five");
    int x, y, z;
    assert(in >> x >> y && x + y == 7 && !(in >> z) && in.fail());
}

int main()
{
    strings();
    functions();
    algorithms();
}
