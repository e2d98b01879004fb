// Names by number, in Boost's containers.
#include <boost/bimap.hpp>
#include <boost/unordered_map.hpp>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

int main()
{
    boost::unordered_map<int, std::string> names;
    std::mutex lock;
    std::thread other([&] {
        std::lock_guard guard(lock);
        names.emplace(1, "one");
    });
    {
        std::lock_guard guard(lock);
        names.emplace(2, "two");
    }
    other.join();
    boost::bimap<int, std::string> both;
    for (const auto &name : names)
        both.insert({name.first, name.second});
    assert(both.right.at("one") == 1 && both.right.at("two") == 2);
}
