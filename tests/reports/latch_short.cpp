// The latch counts three parts, of which one returns early.
// Result: deadlock. Learned: two of the three parts counted the latch down, from 3 to 1, and
// main waits in line 30 for the third.
#include <latch>
#include <thread>
#include <vector>

struct Part {
    int size;
    bool empty() const
    {
        return size == 0;
    }
};

void load(const Part &part, std::latch &ready)
{
    if (part.empty())
        return;
    ready.count_down();
}

int main()
{
    const std::vector<Part> parts{{2}, {0}, {1}};
    std::latch ready(static_cast<std::ptrdiff_t>(parts.size()));
    std::vector<std::thread> threads;
    for (const Part &part : parts)
        threads.emplace_back(load, std::cref(part), std::ref(ready));
    ready.wait();
    for (auto &thread : threads)
        thread.join();
}
