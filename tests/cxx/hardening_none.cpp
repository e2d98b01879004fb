// Without the library's own checks the machine's are left.  Result: memory error.
// Options: --hardening=none
// Expect: out of bounds.*hardening_none.cpp:@reads
#include <vector>

int main()
{
    std::vector<int> v{1, 2, 3};
    return v[3]; // @reads
}
