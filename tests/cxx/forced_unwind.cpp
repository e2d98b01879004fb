// pthread_exit and cancellation destroy the objects on the stack of their thread, in order,
// before thread-local ones; catch (...) sees them go by and throws them on.
// Result: correct.
// -DKEEP does not throw it on: assertion violation.
// -DNOEXCEPT leaves a noexcept function so: assertion violation or uncaught exception.
#include <cassert>
#include <pthread.h>
#include <string>

static std::string order;

struct Noisy {
    char name;
    ~Noisy()
    {
        order += name;
    }
};

static thread_local Noisy local{'l'};

static void leave()
#ifdef NOEXCEPT
    noexcept
#endif
{
    Noisy inner{'b'};
    pthread_exit(&order);
}

static void *exits(void *)
{
    Noisy first{'a'};
    (void)local.name;
    try {
        leave();
    } catch (...) {
        order += 'c';
#ifndef KEEP
        throw;
#endif
    }
    return nullptr;
}

static void *waits(void *)
{
    Noisy here{'w'};
    try {
        for (;;)
            pthread_testcancel();
    } catch (int) {
        order += '?';
    }
    return nullptr;
}

int main()
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, exits, nullptr);
    pthread_join(thread, &result);
    assert(result == &order && order == "bcal");
    order.clear();
    pthread_create(&thread, nullptr, waits, nullptr);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && (order == "w" || order.empty()));
}
