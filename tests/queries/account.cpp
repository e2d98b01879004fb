// Classes, namespaces, references and atomics of C++.  Result: correct.
// -DBUG takes too much: assertion violation.
// Options: --never='bank::Account::take::this->balance < 0' --never='accounts[0].balance + accounts[1].balance > 10' --never='Account::count == 3 || transfers > 2' --never='mode == Mode::Closed && transfers == 0'
// Expect-BUG: forbidden state: bank::Account::take::this->balance < 0
#include <atomic>
#include <mutex>
#include <thread>

namespace bank
{
class Account
{
public:
    explicit Account(int amount) : balance(amount)
    {
        count++;
    }
    void take(int amount)
    {
        balance -= amount;
    }
    int balance;
    static int count;
};
int Account::count = 0;
enum class Mode { Open, Closed };
} // namespace bank

static bank::Account accounts[2] = {bank::Account(4), bank::Account(6)};
static bank::Mode mode;
static std::mutex lock;
static std::atomic<int> transfers;

static void transfer(int from, int amount)
{
    std::lock_guard<std::mutex> guard(lock);
    accounts[from].take(amount);
    accounts[1 - from].balance += amount;
    transfers++;
}

int main()
{
#ifdef BUG
    const int amount = 5;
#else
    const int amount = 3;
#endif
    std::thread other([&] { transfer(0, amount); });
    transfer(1, 2);
    other.join();
    mode = bank::Mode::Closed;
    return bank::Account::count - 2;
}
