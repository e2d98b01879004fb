// Files are copied.  Result: correct.
#include <cassert>
#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;

int main()
{
    fs::path from = "/tmp/from.txt", to = "/tmp/to.txt";
    std::ofstream(from) << "hello\n";
    std::ofstream(to) << "something longer\n";
    assert(fs::copy_file(from, to, fs::copy_options::overwrite_existing));
    assert(fs::file_size(to) == 6);
    std::string line;
    std::ifstream in(to);
    assert(std::getline(in, line) && line == "hello");
}
