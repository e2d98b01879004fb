// Result: data race.
// Expect: data race: .*worth.*
// A race on a member names it and the user's line.
#include <thread>
#include <vector>

struct Account {
    int number = 0, worth = 0;
    void pay(int x) { worth += x; }
};
static Account account;

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++)
        threads.emplace_back([] { account.pay(1); });
    for (auto &t : threads)
        t.join();
}
