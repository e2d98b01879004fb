// The planted error: a sink for one thread has two loggers.
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sstream>
#include <thread>

int main()
{
    std::ostringstream text;
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(text);
    spdlog::logger a("a", sink), b("b", sink);
    std::thread other([&] { b.info("b"); });
    a.info("a");
    other.join();
}
