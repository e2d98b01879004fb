// Result: correct.
// Options: -std=c++98
#include <algorithm>
#include <cassert>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Less : std::binary_function<int, int, bool> {
    bool operator()(int a, int b) const { return a < b; }
};

static int fail() throw(std::runtime_error)
{
    throw std::runtime_error("told");
}

int main()
{
    std::auto_ptr<int> first(new int(3));
    std::auto_ptr<int> second = first;
    assert(!first.get() && *second == 3);
    std::vector<int> numbers;
    for (int k = 5; k > 0; --k)
        numbers.push_back(k);
    std::sort(numbers.begin(), numbers.end(), Less());
    assert(*std::find_if(numbers.begin(), numbers.end(), std::bind2nd(Less(), 4)) == 1);
    std::map<std::string, int> count;
    ++count["word"];
    assert(count.find("word")->second == 1);
    try {
        fail();
    } catch (const std::exception &e) {
        assert(std::string(e.what()) == "told");
    }
}
