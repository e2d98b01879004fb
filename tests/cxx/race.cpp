// Result: data race.
// Expect: data race
#include <thread>

static int counter;

int main()
{
    std::thread a([] { counter++; });
    counter++;
    a.join();
}
