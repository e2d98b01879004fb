// Result: correct.
#include <algorithm>
#include <cassert>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

int main()
{
    std::vector<int> v{3, 1, 2};
    std::sort(v.begin(), v.end());
    assert(v[0] == 1 && v[2] == 3);
    std::string s = "hello";
    s += ", and a text that is too long to be stored inside";
    assert(s.find("text") == 13);
    std::map<std::string, int> m{{"one", 1}, {"two", 2}};
    assert(m.at("two") == 2);
    std::unordered_map<int, std::string> u;
    for (int i = 0; i < 20; i++)
        u[i] = std::to_string(i);
    assert(u[13] == "13");
    std::set<int> set(v.rbegin(), v.rend());
    assert(*set.begin() == 1);
    std::list<int> list{1, 2, 3};
    list.reverse();
    assert(list.front() == 3);
    std::function<int(int)> f = [&](int x) { return x + v[1]; };
    assert(f(2) == 4);
    try {
        m.at("three");
        assert(false);
    } catch (const std::out_of_range &) {
    }
    auto p = std::make_unique<std::string>("x");
    assert(*p == "x");
}
