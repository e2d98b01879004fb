// What came before a request to stop happens before what is done since it was made, and a callback is
// called after it was registered, whichever thread calls it; beside a relaxed access. Result: correct.
// -DUNASKED does not ask whether there was a request: data race.
#include <atomic>
#include <stop_token>
#include <thread>

static int data, told;
static std::atomic<int> unrelated;

int main()
{
    unrelated.store(1, std::memory_order_relaxed);
    std::stop_source source;
    std::jthread thread([&] {
        data = 1;
        source.request_stop();
    });
    std::stop_token token = source.get_token();
#ifdef UNASKED
    data = 2;
#else
    if (token.stop_requested())
        data = 2;
#endif
    told = 1;
    std::stop_callback callback(token, [] { told += data; });
}
