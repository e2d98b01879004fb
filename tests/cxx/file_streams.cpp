// Streams on files, and what filesystem says of them.  Result: correct.
#include <cassert>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

int main()
{
    fs::create_directories("work/deep");
    std::ofstream("work/numbers") << std::setw(4) << std::setfill('0') << 17 << '\n'
                                  << std::hex << 255 << ' ' << std::boolalpha << true;
    assert(fs::file_size("work/numbers") == 12 && fs::exists("work/deep"));
    std::ifstream in("work/numbers");
    std::string line, word;
    bool flag;
    int number;
    assert(std::getline(in, line) && line == "0017");
    assert(in >> std::hex >> number >> std::boolalpha >> flag && number == 255 && flag);
    std::stringstream text;
    text << std::fixed << std::setprecision(2) << 3.14159 << '|' << std::left << std::setw(5)
         << "ab" << '|';
    assert(text.str() == "3.14|ab   |");
    int entries = 0;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator("work"))
        entries += entry.is_directory() ? 10 : 1;
    assert(entries == 11);
    fs::rename("work/numbers", "work/deep/moved");
    std::error_code problem;
    assert(!fs::exists("work/numbers") && !fs::remove("nowhere", problem));
    assert(fs::remove_all("work") == 3);
}
