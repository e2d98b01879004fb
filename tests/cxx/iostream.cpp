// Result: correct.
#include <cassert>
#include <iomanip>
#include <iostream>
#include <sstream>

int main()
{
    std::cout << "hello " << 42 << ' ' << 1.5 << std::endl;
    std::ostringstream out;
    out << std::setw(4) << std::setfill('0') << 7 << std::hex << 255;
    assert(out.str() == "0007ff");
    std::istringstream in("12 abc");
    int n;
    std::string word;
    in >> n >> word;
    assert(n == 12 && word == "abc");
}
