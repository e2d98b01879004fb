// A barrier that not all come to.
//
// Result: deadlock.
// -DTOKEN waits for the phase in two steps, alone: deadlock.
// -DTHREE is for three threads and has two: deadlock.
// -DDROPPED goes on with one thread less: correct.
// -DEARLY deletes the barrier while the other may still be about to leave it: memory error.
// -DMANY arrives more often than the phase expects: assertion violation.
#include <barrier>
#include <thread>
#include <utility>

int main()
{
#ifdef THREE
    auto meet = new std::barrier<>(3);
    std::thread second([=] { meet->arrive_and_wait(); });
#else
    auto meet = new std::barrier<>(2);
#endif
#ifdef TOKEN
    meet->wait(meet->arrive());
#elif defined MANY
    (void)meet->arrive(3);
#endif
    std::thread first([=] { meet->arrive_and_wait(); });
#ifdef DROPPED
    meet->arrive_and_drop();
    first.join();
    meet->arrive_and_wait();
    delete meet;
    return 0;
#elif defined EARLY
    meet->arrive_and_wait();
    delete meet;
#endif
    first.join();
#ifdef THREE
    second.join();
#endif
    delete meet;
}
