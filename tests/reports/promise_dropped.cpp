// A promise is dropped by the thread that should have kept it.  Result: assertion violation.
// Learned: thread 2 ends the promise of answer without a value, and get in line 16 throws for
// that; nothing of how libc++ makes and counts the exception.
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::promise<int> answer;
    std::future<int> result = answer.get_future();
    std::thread worker([p = std::move(answer)]() mutable { (void)p; });
    worker.detach();
    int value = 0;
    try {
        value = result.get();
    } catch (const std::future_error &) {
        value = -1;
    }
    assert(value == 0);
}
