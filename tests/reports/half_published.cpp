// A message is filled in and then said to be there, by a relaxed store.  Result: data race.
// Learned: the load of full does not order the read of slot.length after the write.
#include <atomic>
#include <cassert>
#include <thread>

struct Message {
    int length;
    char text[8];
};

Message slot;
std::atomic<bool> full{false};

int main()
{
    std::thread sender([] {
        slot.length = 5;
        full.store(true, std::memory_order_relaxed);
    });
    std::thread receiver([] {
        if (full.load(std::memory_order_acquire))
            assert(slot.length == 5);
    });
    sender.join();
    receiver.join();
}
