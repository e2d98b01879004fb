// Two threads fill a tank by chosen amounts, and a limit that is right for one of them is not
// for both.  Result: assertion violation.
// Learned: which choices lead to the error, each with its thread and the variable it goes to.
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>

enum valve { CLOSED, OPEN };

struct tank {
    enum valve valve;
    atomic_int level;
} tank;

static void *fill(void *arg)
{
    int amount = divm_choose(3);
    atomic_fetch_add(&tank.level, amount);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, fill, 0);
    pthread_create(&b, 0, fill, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    tank.valve = divm_choose(2);
    if (divm_choose(2))
        assert(tank.valve == OPEN || tank.level <= 3);
    return 0;
}
