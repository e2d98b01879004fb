// A function locks by hand and throws before it unlocks.  Result: deadlock.
// Learned: thread 2 has finished and still holds accounts.lock_, which thread 3 waits for.
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

class Accounts
{
  public:
    void withdraw(const std::string &name, int amount)
    {
        lock_.lock();
        int &balance = balances_[name];
        if (balance < amount)
            throw std::runtime_error("too little money");
        balance -= amount;
        lock_.unlock();
    }

  private:
    std::mutex lock_;
    std::map<std::string, int> balances_{{"ann", 10}};
};

int main()
{
    Accounts accounts;
    auto spend = [&] {
        try {
            accounts.withdraw("ann", 7);
        } catch (const std::exception &) {
        }
    };
    std::thread one(spend), two(spend), three(spend);
    one.join();
    two.join();
    three.join();
}
