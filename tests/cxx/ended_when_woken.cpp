// Result: correct.
// A latch, a semaphore and a stop_callback may end as soon as who waited for them goes on.
#include <latch>
#include <memory>
#include <semaphore>
#include <stop_token>
#include <thread>

static void latch()
{
    auto done = std::make_unique<std::latch>(1);
    std::thread t([l = done.get()] { l->count_down(); });
    done->wait();
    done.reset();
    t.join();
}

static void semaphore()
{
    auto done = std::make_unique<std::binary_semaphore>(0);
    std::thread t([s = done.get()] { s->release(); });
    done->acquire();
    done.reset();
    t.join();
}

static void callback()
{
    std::stop_source source;
    std::thread t([&source] { source.request_stop(); });
    {
        auto called = std::make_unique<int>(0);
        std::stop_callback callback(source.get_token(), [&called] { ++*called; });
    }
    t.join();
}

int main()
{
    latch();
    semaphore();
    callback();
}
