// A transfer throws between its two halves if the other account has just been closed; its caller
// takes that for a transfer that did not happen.  Result: assertion violation. Learned: the
// exception at line 27 leaves transfer after the first account was changed: that amount is lost.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

struct account {
    std::mutex mutex;
    int balance = 50;
    bool closed = false;

    void add(int amount)
    {
        std::lock_guard guard(mutex);
        balance += amount;
    }
};

account savings, shop;

void transfer(account &from, account &to, int amount)
{
    from.add(-amount);
    if (std::lock_guard guard(to.mutex); to.closed)
        throw std::runtime_error("account is closed");
    to.add(amount);
}

void buyer()
{
    try {
        transfer(savings, shop, 20);
    } catch (const std::exception &) {
    }
}

void owner()
{
    std::lock_guard guard(shop.mutex);
    shop.closed = true;
}

int main()
{
    std::thread first(buyer), second(owner);
    first.join();
    second.join();
    assert(savings.balance + shop.balance == 100);
}
