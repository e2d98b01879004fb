// Whoever comes first is to answer, and both do if they are quick.
// Result: uncaught exception. Learned: both runners read over = false before either set it,
// and the second set_value in line 17 throws.
#include <atomic>
#include <future>
#include <thread>

struct Race {
    std::promise<int> winner;
    std::atomic<bool> over{false};

    void finish(int runner)
    {
        if (over)
            return;
        over = true;
        winner.set_value(runner);
    }
};

int main()
{
    Race race;
    std::thread first(&Race::finish, &race, 1);
    std::thread second(&Race::finish, &race, 2);
    int who = race.winner.get_future().get();
    first.join();
    second.join();
    return who == 0;
}
