// GoogleTest: a registry is looked up under a lock for reading, and filled under another one for
// writing, but for some time under none.  Result: assertion violation.
// Learned: both threads found no entry before either of them had added one.
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Registry {
public:
    int add(int key)
    {
        {
            std::shared_lock<std::shared_mutex> guard(lock_);
            if (entries_.count(key))
                return entries_.at(key);
        }
        std::unique_lock<std::shared_mutex> guard(lock_);
        return entries_[key] = ++made_;
    }

private:
    std::shared_mutex lock_;
    std::map<int, int> entries_;
    int made_ = 0;
};

TEST(Registry, ConcurrentAdd)
{
    Registry r;
    int first = 0, second = 0;
    std::thread a([&] { first = r.add(1); });
    std::thread b([&] { second = r.add(1); });
    a.join();
    b.join();
    EXPECT_EQ(first, second);
}
