// Result: memory error.
// Expect: leak
#include <string>

int main()
{
    new std::string("nobody points to it");
}
