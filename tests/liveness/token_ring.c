// Three stations pass a token on for ever; each works while it has it.
// Result: correct.  -DLOST: the last one may keep it: formula violated.
// Options: --fair --endless=allow --always-eventually=works[0]
#include <pthread.h>
#include <stdatomic.h>

enum { N = 3 };
static atomic_int token, works[N];

static void *station(void *arg)
{
    int me = *(int *)arg;
    for (;;) {
        while (token != me)
            ;
        works[me] = 1;
        works[me] = 0;
#ifdef LOST
        if (me == 2 && works[0] == 0)
            continue;
#endif
        token = (me + 1) % N;
    }
    return arg;
}

int main(void)
{
    static int number[N] = {0, 1, 2};
    pthread_t thread[N];
    for (int k = 1; k < N; k++)
        pthread_create(&thread[k], NULL, station, &number[k]);
    station(&number[0]);
}
