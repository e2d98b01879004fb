// Two threads count without an atomic step: after a lost update the loop never ends, whatever
// the scheduler does.  Result: endless run. -DWHOLE counts in one step: correct.
// Expect: endless run: no end of the program can be reached any more: main at lost_update.cpp:@loop
#include <atomic>
#include <thread>

static void count(std::atomic<int> &pending)
{
#ifdef WHOLE
    pending++;
#else
    int n = pending.load();
    pending.store(n + 1);
#endif
}

int main()
{
    std::atomic<int> pending{0};
    std::thread thread([&] { count(pending); });
    count(pending);
    while (pending.load() != 2) // @loop
        std::this_thread::yield();
    thread.join();
}
