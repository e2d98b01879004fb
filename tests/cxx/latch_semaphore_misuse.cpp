// A semaphore does not go above its maximum, nor a latch below zero.  Result: correct.
// -DRELEASED: assertion violation.
// -DGIVEN_BACK: assertion violation.
// -DBEGUN: assertion violation.
// -DCOUNTED: assertion violation.
// Expect-RELEASED: assertion failed: .*more than max.*work at latch_semaphore_misuse.cpp:@released
// Expect-GIVEN_BACK: assertion failed: .*release
// Expect-BEGUN: assertion failed: .*greater than max
// Expect-COUNTED: assertion failed: .*latch::count_down called with a value greater than the internal counter
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

#ifdef BEGUN
static std::counting_semaphore<2> pool(3);
#else
static std::counting_semaphore<2> pool(2);
#endif
static std::binary_semaphore ready(0);
static std::latch done(2);
static int value;

static void work()
{
    pool.acquire();
    value = 1;
#ifdef RELEASED
    ready.release(); // the first may not have been taken
#endif
    ready.release(); // @released
#ifdef GIVEN_BACK
    pool.release();
#endif
    pool.release();
    done.count_down();
}

int main()
{
    std::thread worker(work);
    ready.acquire();
    assert(value == 1);
#ifdef COUNTED
    done.count_down();
#endif
    done.count_down();
    done.wait();
    worker.join();
}
