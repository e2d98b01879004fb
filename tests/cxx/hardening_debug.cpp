// Result: assertion violation.
// Options: --hardening=debug
// Expect: strict.weak
#include <algorithm>
#include <vector>

int main()
{
    std::vector<int> v(40, 1);
    std::sort(v.begin(), v.end(), [](int a, int b) { return a <= b; });
}
