// Result: assertion violation.
// Expect: vector\[\] index out of bounds
#include <vector>

int main(int argc, char **)
{
    std::vector<int> v(3);
    return v[argc + 2];
}
