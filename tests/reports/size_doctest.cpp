// doctest: the number of entries is asked for without the lock.  Result: data race.
// Learned: log.entries is written with the lock held and read in the test without it; the test
// is called TEST_CASE, as it is written, and nothing of doctest is mentioned.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

struct Log {
    std::mutex lock;
    std::vector<int> entries;
    void add(int entry)
    {
        std::lock_guard guard(lock);
        entries.push_back(entry);
    }
};

TEST_CASE("entries are counted")
{
    Log log;
    std::ostringstream text;
    text << 1 << "\n";
    log.add(1);
    std::thread writer([&] { log.add(2); });
    size_t count = log.entries.size();
    writer.join();
    REQUIRE(count <= 2);
}
