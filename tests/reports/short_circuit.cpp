// The second half of a condition is not asked where the first one is false.
// Result: assertion violation. Learned: the variant holds a text by then, so no number in it
// was compared: no values are told.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <variant>

int main()
{
    std::variant<int, std::string> value = 1;
    std::mutex mutex;
    std::thread reader([&] {
        std::lock_guard<std::mutex> guard(mutex);
        assert(std::holds_alternative<int>(value) && std::get<int>(value) == 1);
    });
    {
        std::lock_guard<std::mutex> guard(mutex);
        value = "text";
    }
    reader.join();
}
