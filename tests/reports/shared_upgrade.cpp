// Two readers of a cache want to write as well, and keep their shared lock.
// Result: deadlock. Learned: thread 3 holds the shared lock of line 14 and waits in line 18 for
// the exclusive one, which its own shared lock keeps from it; so nobody else gets in.
#include <map>
#include <shared_mutex>
#include <string>
#include <thread>

class Settings
{
  public:
    std::string get(const std::string &key)
    {
        std::shared_lock reader(mutex_);
        auto found = values_.find(key);
        if (found != values_.end())
            return found->second;
        std::unique_lock writer(mutex_);
        return values_[key] = "default";
    }

  private:
    std::shared_mutex mutex_;
    std::map<std::string, std::string> values_;
};

int main()
{
    Settings settings;
    std::thread first([&] { settings.get("colour"); });
    std::thread second([&] { settings.get("size"); });
    first.join();
    second.join();
}
