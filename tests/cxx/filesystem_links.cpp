// Result: correct.
// Links, kinds and permissions of files, by std::filesystem.
#include <cassert>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace fs = std::filesystem;

static void links(const fs::path &folder)
{
    std::error_code error;
    fs::create_symlink("file", folder / "link");
    fs::create_directory_symlink("inner", folder / "to");
    fs::create_symlink("nowhere", folder / "dangling");
    assert(fs::is_symlink(folder / "link") && fs::read_symlink(folder / "link") == "file");
    assert(fs::is_regular_file(folder / "link") && fs::file_size(folder / "link") == 5);
    assert(fs::symlink_status(folder / "link").type() == fs::file_type::symlink);
    assert(fs::status(folder / "dangling").type() == fs::file_type::not_found);
    assert(!fs::exists(folder / "dangling") && fs::is_symlink(folder / "dangling"));
    assert(fs::canonical(folder / "to/../link") == fs::canonical(folder) / "file");
    assert(fs::weakly_canonical(folder / "to/none/x") == fs::canonical(folder) / "inner/none/x");
    fs::canonical(folder / "dangling", error);
    assert(error == std::errc::no_such_file_or_directory);
    fs::create_symlink("self", folder / "self");
    fs::status(folder / "self", error);
    assert(error == std::errc::too_many_symbolic_link_levels);
    fs::read_symlink(folder / "file", error);
    assert(error == std::errc::invalid_argument);
    assert(fs::equivalent(folder / "file", folder / "link"));
    fs::copy_symlink(folder / "link", folder / "copy");
    assert(fs::read_symlink(folder / "copy") == "file");
    fs::copy(folder / "link", folder / "second", fs::copy_options::copy_symlinks);
    assert(fs::is_symlink(folder / "second"));
    fs::create_hard_link(folder / "file", folder / "hard");
    assert(fs::hard_link_count(folder / "file") == 2);
    fs::rename(folder / "copy", folder / "hard");
    assert(fs::hard_link_count(folder / "file") == 1 && fs::is_symlink(folder / "hard"));
}

static void kinds(const fs::path &folder)
{
    std::error_code error;
    mkfifo((folder / "pipe").c_str(), 0600);
    assert(fs::is_fifo(folder / "pipe") && fs::is_other(folder / "pipe"));
    assert(fs::is_character_file("/dev/null"));
    fs::permissions(folder / "file", fs::perms::owner_read);
    assert(fs::status(folder / "file").permissions() == fs::perms::owner_read);
    assert(!std::ofstream(folder / "file").is_open() && std::ifstream(folder / "file").is_open());
    fs::permissions(folder / "link", fs::perms::owner_write, fs::perm_options::add);
    assert(std::ofstream(folder / "file").is_open());
    fs::permissions(folder / "inner", fs::perms::none);
    assert(fs::directory_iterator(folder / "inner", error) == fs::directory_iterator());
    assert(error == std::errc::permission_denied);
    assert(!fs::create_directory(folder / "inner/x", error));
    assert(error == std::errc::permission_denied);
    fs::permissions(folder / "inner", fs::perms::owner_all);
}

int main()
{
    fs::path folder = "/tmp/divm-links";
    fs::create_directories(folder / "inner");
    std::ofstream(folder / "file") << "12345";
    links(folder);
    kinds(folder);
    int count = 0, symbolic = 0;
    for (const auto &entry : fs::recursive_directory_iterator(folder)) {
        count++;
        symbolic += entry.is_symlink();
    }
    assert(count == 9 && symbolic == 6);
    assert(fs::remove(folder / "dangling") && !fs::remove(folder / "none"));
    assert(fs::remove_all(folder) == 9);
    assert(!fs::exists(folder));
}
