// A box of two slots hands over numbers that its user has allocated.  Result: data race.
// Learned: the store at line 15 is relaxed, so that the write of int#2 at line 30, before it is
// put into slots[1], comes before nothing that who takes it does.
#include <atomic>
#include <cassert>
#include <thread>

class box
{
    std::atomic<int *> slots[2] = {};

  public:
    void put(int slot, int *number)
    {
        slots[slot].store(number, std::memory_order_relaxed);
    }
    int *take(int slot)
    {
        return slots[slot].exchange(nullptr, std::memory_order_acquire);
    }
};

int main()
{
    box box;
    std::thread giver([&] {
        int *one = new int;
        *one = 1;
        box.put(0, one);
        box.put(1, new int(2));
    });
    if (int *number = box.take(1)) {
        assert(*number == 2);
        delete number;
    }
    giver.join();
    delete box.take(0);
}
