// Exceptions that carry others; through futures, tasks and promises to another thread.
// Result: correct.
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

static void load(int depth)
{
    if (!depth)
        throw std::range_error("deep");
    try {
        load(depth - 1);
    } catch (...) {
        std::throw_with_nested(std::runtime_error("level " + std::to_string(depth)));
    }
}

static std::string told(const std::exception &e)
{
    std::string text = e.what();
    try {
        std::rethrow_if_nested(e);
    } catch (const std::exception &inner) {
        text += " < " + told(inner);
    }
    return text;
}

static std::string told_by(std::future<void> future)
{
    try {
        future.get();
    } catch (const std::exception &e) {
        return told(e);
    }
    return "nothing";
}

int main()
{
    assert(told_by(std::async(std::launch::deferred, load, 2)) == "level 2 < level 1 < deep");
    assert(told_by(std::async(std::launch::async, load, 0)) == "deep");
    std::packaged_task<void(int)> task(load);
    std::future<void> result = task.get_future();
    std::thread(std::move(task), 1).join(); // while nobody else looks at what is thrown
    assert(told_by(std::move(result)) == "level 1 < deep");
    std::promise<void> broken;
    result = broken.get_future();
    {
        std::promise<void> gone = std::move(broken);
    }
    try {
        result.get();
        assert(!"reached");
    } catch (const std::future_error &e) {
        assert(e.code() == std::future_errc::broken_promise);
    }
}
