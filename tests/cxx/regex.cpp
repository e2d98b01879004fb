// Result: correct.
#include <cassert>
#include <regex>
#include <string>

int main()
{
    std::smatch m;
    std::string s = "key = value";
    assert(std::regex_match(s, m, std::regex("(\\w+) = (\\w+)")));
    assert(m[2] == "value");
}
