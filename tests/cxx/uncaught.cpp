// Result: uncaught exception.
// Expect: uncaught exception: std::runtime_error: no more
#include <stdexcept>
#include <thread>

static void work()
{
    throw std::runtime_error("no more");
}

int main()
{
    std::thread t(work);
    t.join();
}
