// Result: correct.  -DHANDLER is notified while it is in a signal handler: correct.
#include <atomic>
#include <cassert>
#include <csignal>
#include <pthread.h>
#include <thread>

static std::atomic<int> stage, handled;
static int data;

int main()
{
#ifdef HANDLER
    std::signal(SIGUSR1, [](int) { handled = 1; });
    static pthread_t waiting = pthread_self();
#endif
    std::thread t([] {
#ifdef HANDLER
        pthread_kill(waiting, SIGUSR1);
#endif
        data = 1;
        stage = 1;
        stage.notify_one();
    });
    stage.wait(0);
    assert(data == 1);
    t.join();
}
