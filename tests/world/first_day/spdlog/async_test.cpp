// What two threads log comes to the file, each thread's in order.
#include <cassert>
#include <spdlog/async.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sstream>
#include <thread>

int main()
{
    std::ostringstream text;
    {
        auto pool = std::make_shared<spdlog::details::thread_pool>(2, 1);
        auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text);
        sink->set_pattern("%v");
        auto log = std::make_shared<spdlog::async_logger>("service", sink, pool);
        std::thread other([&] { log->warn("temperature {}", 451); });
        log->info("{} of {}", 1, 2);
        log->info("{} of {}", 2, 2);
        other.join();
    }
    std::string all = text.str();
    assert(all.find("temperature 451\n") != std::string::npos);
    assert(all.find("1 of 2\n") < all.find("2 of 2\n"));
}
