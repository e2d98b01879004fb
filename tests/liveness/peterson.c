// Peterson's algorithm, round after round: who wants to enter does in a fair run.
// Result: correct.  -DTURNLESS has no turns, and steps back instead: formula violated.
// Options: --fair --endless=allow --ltl='G(wants[0] -> F inside)'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void enter(int me)
{
    wants[me] = 1;
#ifdef TURNLESS
    while (wants[!me]) {
        wants[me] = 0;
        wants[me] = 1;
    }
#else
    turn = !me;
    while (wants[!me] && turn == !me)
        ;
#endif
    if (me == 0)
        inside = 1;
}

static void leave(int me)
{
    if (me == 0)
        inside = 0;
    wants[me] = 0;
}

static void *other(void *arg)
{
    for (;;) {
        enter(1);
        leave(1);
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (;;) {
        enter(0);
        leave(0);
    }
}
