// Result: correct.
#include <cassert>
#include <format>
#include <string>

int main()
{
    assert(std::format("{:>5}|{:x}|{}", 42, 255, "s") == "   42|ff|s");
    assert(std::format("{:.2f}", 1.255) == "1.25");
}
