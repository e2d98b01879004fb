// Result: memory error.
// Who waits sees the new value without being notified, and takes the atomic away.
// -DKEPT takes it away after the other thread has ended: correct.
#include <atomic>
#include <thread>

int main()
{
    auto *ready = new std::atomic<bool>(false);
    std::thread t([ready] {
        ready->store(true);
        ready->notify_one();
    });
    ready->wait(false);
#ifndef KEPT
    delete ready;
#endif
    t.join();
#ifdef KEPT
    delete ready;
#endif
}
