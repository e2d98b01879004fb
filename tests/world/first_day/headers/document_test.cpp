// Two write to a document of nlohmann's, which has a lock.
#include <cassert>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

int main()
{
    nlohmann::json document;
    std::mutex lock;
    std::thread other([&] {
        std::lock_guard guard(lock);
        document["one"] = 1;
    });
    {
        std::lock_guard guard(lock);
        document["two"] = {1, 2};
    }
    other.join();
    assert(document.dump() == R"({"one":1,"two":[1,2]})");
}
