// A thread asks a map for what the other may not have put yet.  Result: uncaught exception.
// Learned: which exception left which thread, and from which call.
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::map<std::string, int> settings;

static void configure()
{
    std::lock_guard<std::mutex> guard(lock);
    settings["threads"] = 4;
}

static int threads_wanted()
{
    std::lock_guard<std::mutex> guard(lock);
    return settings.at("threads");
}

int main()
{
    std::thread a(configure);
    std::thread b([] { threads_wanted(); });
    a.join();
    b.join();
}
