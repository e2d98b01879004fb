// What the library does with addresses is none of the program's looks at them: raising
// exceptions, strings and vectors that are given a part of themselves, atomic pointers, files.
// So symmetry and executions suit it, and fork is possible.
//
// Result: correct.
// Options: --search=dpor
#include <cassert>
#include <filesystem>
#include <format>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static auto shared = std::make_shared<int>(1);

static std::string text(int n)
{
    std::string s = "<" + std::to_string(n);
    s.insert(1, "n = ").append(s.begin(), s.begin() + 1).insert(0, s.c_str() + 1);
    std::vector<std::string> all{s};
    all.insert(all.begin(), all[0]);
    assert(all[0] == all[1] && s.find("n =", 2) != s.npos);
    return std::format("{}:{}", all[0], n);
}

static void work(int n)
{
    try {
        if (std::atomic_load(&shared))
            throw std::runtime_error(text(n));
    } catch (const std::exception &e) {
        assert(e.what() == text(n));
    }
}

static void file()
{
    const auto path = std::filesystem::path("folder") / "file";
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << 1.5 << " " << 7 << "\n";
    std::string line;
    std::ifstream in(path);
    assert(std::getline(in, line) && line == "1.5 7");
}

int main()
{
    std::thread a(work, 1), b(work, 2);
    a.join();
    b.join();
    file();
}
