// Nodes of a map that three threads make under a lock: which of them made one first is told by
// no state, and there are as many with any number of workers.  Result: correct.
// -DBUG one of them has no lock: data race.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::map<int, int> entries;

static void work(int id)
{
    for (int k = 0; k < 2; k++) {
#ifdef BUG
        if (id == 2) {
            entries.emplace(k + id, id);
            continue;
        }
#endif
        std::unique_lock guard(lock);
        entries.emplace(k + id, id);
    }
}

int main()
{
    std::thread a(work, 0), b(work, 1), c(work, 2);
    a.join();
    b.join();
    c.join();
    assert(entries.size() == 4);
}
