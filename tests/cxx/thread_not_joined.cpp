// Result: assertion violation.
// Expect: terminating
#include <thread>

int main()
{
    std::thread t([] {});
}
