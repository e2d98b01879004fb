// Result: assertion violation.
// Options: -fno-exceptions
// Expect: out_of_range was thrown
#include <vector>

int main()
{
    std::vector<int> v(3);
    return v.at(5);
}
