// Result: correct.  -DHANDLER all have come while one is in a signal handler: correct.
#include <atomic>
#include <barrier>
#include <cassert>
#include <csignal>
#include <pthread.h>
#include <thread>

static int done[2];
static std::atomic<int> handled;

int main()
{
#ifdef HANDLER
    std::signal(SIGUSR1, [](int) { handled = 1; });
    static pthread_t waiting = pthread_self();
#endif
    std::barrier meet(2);
    std::thread t([&] {
#ifdef HANDLER
        pthread_kill(waiting, SIGUSR1);
#endif
        done[0] = 1;
        meet.arrive_and_wait();
        assert(done[1]);
    });
    done[1] = 1;
    meet.arrive_and_wait();
    assert(done[0]);
    t.join();
}
