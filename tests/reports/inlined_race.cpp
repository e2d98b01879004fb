// What is a race without -O is one with it, and told by the program's own lines.
// Result: data race. Learned: the thread of line 13 adds to the list under the lock, and line
// 17 without it.
// Options: -O2
#include <mutex>
#include <thread>
#include <vector>

int main()
{
    std::vector<int> list;
    std::mutex lock;
    std::thread thread([&] {
        std::lock_guard guard(lock);
        list.push_back(1);
    });
    list.push_back(2);
    thread.join();
    return list.size() != 2;
}
