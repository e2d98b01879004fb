// Result: correct.
// Paths; what needs files is the kernel's.
#include <cassert>
#include <filesystem>

int main()
{
    std::filesystem::path p = "/a/b/../c.txt";
    assert(p.filename() == "c.txt" && p.extension() == ".txt");
    assert(p.lexically_normal() == "/a/c.txt");
}
