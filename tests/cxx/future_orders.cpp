// What [futures] lets threads do at the same time with one shared state: a promise is kept, or a
// task called, while its future is taken; copies of a shared future are asked; a promise that
// keeps its word when its thread ends is destroyed by another.  Result: correct.
// -DTWICE a task is called by two threads: data race.
// -DASSIGNED a future is taken by one thread while another moves the task: data race.
#include <atomic>
#include <cassert>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

template <class T> static void kept(T value)
{
    std::promise<T> promise;
    std::thread keeper([&] { promise.set_value(value); });
    std::future<T> future = promise.get_future();
    assert(future.get() == value);
    keeper.join();
}

static void broken()
{
    std::promise<void> promise;
    std::thread keeper([&] { promise.set_exception(std::make_exception_ptr(std::runtime_error(""))); });
    std::future<void> future = promise.get_future();
    try {
        future.get();
        assert(false);
    } catch (const std::runtime_error &) {
    }
    keeper.join();
}

template <class R> static void called(R (*function)())
{
    std::packaged_task<R()> task(function);
    std::thread runner([&] { task(); });
    std::future<R> future = task.get_future();
    future.get();
    runner.join();
    task.reset();
    std::thread late([&] { task.make_ready_at_thread_exit(); });
    future = task.get_future();
    future.wait();
    late.join();
    try {
        task();
        assert(false);
    } catch (const std::future_error &error) {
        assert(error.code() == std::future_errc::promise_already_satisfied);
    }
}

// As thread pools do: the task goes to a queue first, then its future is taken.
static void queued()
{
    auto task = std::make_shared<std::packaged_task<int()>>([] { return 3; });
    std::thread runner([task] { (*task)(); });
    std::future<int> future = task->get_future();
    task = nullptr;
    assert(future.get() == 3);
    runner.join();
}

static void handed_over()
{
    auto promise = new std::promise<int>;
    std::atomic<bool> set = false;
    std::future<int> future = promise->get_future();
    std::thread keeper([&] {
        promise->set_value_at_thread_exit(4);
        set = true;
        set.notify_one();
    });
    set.wait(false);
    delete promise;
    assert(future.get() == 4);
    keeper.join();
}

static void shared()
{
    std::shared_future<int> future = std::async(std::launch::deferred, [] { return 5; });
    std::thread other([future] { assert(future.get() == 5); });
    assert(future.get() == 5);
    assert(future.wait_for(std::chrono::seconds(1)) == std::future_status::ready);
    other.join();
}

static void abandoned()
{
    std::future<int> future;
    std::thread other;
    {
        std::promise<int> promise;
        future = promise.get_future();
        other = std::thread([promise = std::move(promise)] {});
    }
    try {
        future.get();
        assert(false);
    } catch (const std::future_error &error) {
        assert(error.code() == std::future_errc::broken_promise);
    }
    other.join();
}

int main()
{
#ifdef TWICE
    std::packaged_task<int()> task([] { return 1; });
    auto call = [&] {
        try {
            task();
        } catch (const std::future_error &) {
        }
    };
    std::thread one(call);
    call();
    one.join();
#elif defined ASSIGNED
    std::packaged_task<int()> task([] { return 1; }), other;
    std::thread mover([&] { other = std::move(task); });
    std::future<int> future = task.get_future();
    mover.join();
#else
    kept(1);
    static int referred;
    {
        std::promise<int &> promise;
        std::thread keeper([&] { promise.set_value(referred); });
        assert(&promise.get_future().get() == &referred);
        keeper.join();
    }
    broken();
    called<int>([] { return 1; });
    called<void>([] {});
    queued();
    handed_over();
    shared();
    abandoned();
#endif
    return 0;
}
