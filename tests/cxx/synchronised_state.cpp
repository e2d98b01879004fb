// What C++'s library synchronises itself is used by two threads without a lock: nothing that it
// does inside is a race of the program.  Result: correct.
// -DUNLOCKED a std::shared_ptr is no such thing, if one is assigned: data race.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <exception>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <sstream>
#include <stop_token>
#include <thread>

static void stop_waiting()
{
    std::mutex mutex;
    std::condition_variable_any condition;
    std::jthread waiter([&](std::stop_token stop) {
        std::unique_lock lock(mutex);
        assert(!condition.wait(lock, stop, [] { return false; }));
    });
    waiter.request_stop();
}

static void stop_callbacks()
{
    std::stop_source source;
    bool called = false;
    std::thread other([&] { std::stop_callback callback(source.get_token(), [&] { called = true; }); });
    source.request_stop();
    other.join();
}

static void pools()
{
    std::pmr::synchronized_pool_resource pool;
    auto use = [&] {
        void *memory = pool.allocate(16);
        pool.deallocate(memory, 16);
        assert(pool.options().max_blocks_per_chunk > 0);
        std::pmr::get_default_resource();
    };
    std::thread other(use);
    std::pmr::set_default_resource(std::pmr::new_delete_resource());
    use();
    other.join();
}

static void counts()
{
    auto pointer = std::make_shared<int>(1);
    std::weak_ptr<int> weak = pointer;
    std::thread other([weak] {
        if (auto mine = weak.lock())
            assert(*mine == 1);
        (void)weak.expired();
    });
    (void)pointer.use_count();
    pointer.reset();
    other.join();
}

static void atomic_pointers()
{
    auto pointer = std::make_shared<int>(1);
    std::thread other([&] {
#ifdef UNLOCKED
        pointer = std::make_shared<int>(2);
#else
        std::atomic_store(&pointer, std::make_shared<int>(2));
#endif
    });
    auto copy = std::atomic_load(&pointer);
    other.join();
    assert(*copy == 1 || *copy == 2);
}

static void exceptions()
{
    std::exception_ptr error = std::make_exception_ptr(1);
    auto look = [error] {
        try {
            std::rethrow_exception(error);
        } catch (int number) {
            assert(number == 1);
        }
    };
    std::thread other(look);
    look();
    error = nullptr;
    other.join();
}

static void ends_of_threads()
{
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    std::thread other([&] {
        std::unique_lock lock(mutex);
        ready = true;
        std::notify_all_at_thread_exit(condition, std::move(lock));
    });
    {
        std::unique_lock lock(mutex);
        condition.wait(lock, [&] { return ready; });
    }
    other.join();
}

static void streams()
{
    auto print = [] {
        std::ostringstream out;
        out << 1.5 << std::locale().name();
        assert(out.str() == "1.5C");
    };
    std::thread other(print);
    print();
    other.join();
}

int main()
{
    stop_waiting();
    stop_callbacks();
    pools();
    counts();
    atomic_pointers();
    exceptions();
    ends_of_threads();
    streams();
}
