// A lift with two floors: who calls is served, in a fair run.
// Result: correct.  -DSTAYS: the lift stays where somebody keeps calling: formula violated.
// Options: --fair --endless=allow --ltl='G(calls[0] -> F floor == 0)' --ltl='G(calls[1] -> F floor == 1)' --always-eventually='floor==1 || !calls[1]'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int calls[2], floor;

static void *lift(void *arg)
{
    for (;;)
        for (int k = 0; k < 2; k++) {
            if (!calls[k])
                continue;
            floor = k;
            calls[k] = 0;
#ifdef STAYS
            while (k == 0 && calls[0])
                calls[0] = 0;
#endif
        }
    return arg;
}

static void *person(void *arg)
{
    int *where = arg;
    for (;;)
        calls[*where] = 1;
    return arg;
}

int main(void)
{
    pthread_t thread[2];
    int other = 1, here = 0;
    pthread_create(&thread[0], NULL, lift, NULL);
    pthread_create(&thread[1], NULL, person, &other);
    person(&here);
}
