#include "pool.hpp"

#include <utility>

Pool::Pool(unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        threads.emplace_back(&Pool::run, this);
}

Pool::~Pool()
{
    {
        std::lock_guard guard(lock);
        ends = true;
    }
    changed.notify_all();
    for (std::thread &thread : threads)
        thread.join();
}

void Pool::give(std::function<void()> what)
{
    {
        std::lock_guard guard(lock);
        work.push_back(std::move(what));
    }
    changed.notify_one();
}

// The planted error: without the lock.
std::size_t Pool::waiting() const
{
    return work.size();
}

void Pool::run()
{
    for (;;) {
        std::unique_lock guard(lock);
        changed.wait(guard, [this] { return ends || !work.empty(); });
        if (work.empty())
            return;
        std::function<void()> what = std::move(work.front());
        work.pop_front();
        guard.unlock();
        what();
    }
}
