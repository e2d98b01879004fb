// Result: memory error.
// Expect: use after free
#include <vector>

int main()
{
    std::vector<int> v{1};
    int &first = v[0];
    v.push_back(2);
    return first;
}
