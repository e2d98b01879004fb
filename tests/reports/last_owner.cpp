// A block counts its owners, and the last one to give it back deletes it.  Result: memory error.
// Learned: the decrement at line 15 is relaxed, so that what the other owner has done with the
// block comes before nothing that the one who deletes it does.
#include <atomic>
#include <thread>

class block
{
    std::atomic<int> owners = 2, uses = 0;

  public:
    void release()
    {
        // who deletes the block must not do it before the other one is done with it
        if (owners.fetch_sub(1, std::memory_order_relaxed) == 1)
            delete this;
    }
    void use()
    {
        uses.fetch_add(1, std::memory_order_relaxed);
    }
};

int main()
{
    block *shared = new block;
    auto owner = [shared] {
        shared->use();
        shared->release();
    };
    std::thread one(owner), two(owner);
    one.join();
    two.join();
}
