// A monitor in C looks on while two threads take turns at a lift: is who called served?
// Result: correct.  -DSTAYS: the lift stays where somebody keeps calling: forbidden run.
// -DDOOR: it moves with the door open, which is never to be: forbidden run.
// -DENDS: the program ends, and there is a call that was not served: forbidden run.
// Options: --fair --endless=allow --monitor=watch
// Expect-STAYS: forbidden run: watch accepts it
// Expect-ENDS: forbidden run: watch accepts it \(in a run that ends\)
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int calls[2], floor, open_;

void watch(void)
{
    enum { LOOKS, WAITS, WRONG };
    static int state, last = -1;
    if (last != floor && open_)
        state = WRONG;
    last = floor;
    if (state == LOOKS && calls[0] && floor != 0 && divm_choose(2))
        state = WAITS;
    if (state == WAITS)
        divm_assume(floor != 0);
    if (state != LOOKS)
        divm_accept();
}

static void *lift(void *arg)
{
    for (;;)
        for (int k = 0; k < 2; k++) {
            if (!calls[k])
                continue;
#ifndef DOOR
            open_ = 0;
#endif
            floor = k;
            open_ = 1;
            calls[k] = 0;
            open_ = 0;
#ifdef DOOR
            open_ = 1;
#endif
#ifdef STAYS
            while (k == 1 && calls[1])
                calls[1] = 0;
#endif
        }
    return arg;
}

static void *person(void *arg)
{
    int *where = arg;
    do
        calls[*where] = 1;
#ifdef ENDS
    while (0);
#else
    while (1);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread[3];
    static int floors[2] = {0, 1};
    floor = 1;
    pthread_create(&thread[0], NULL, lift, NULL);
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k + 1], NULL, person, &floors[k]);
    pthread_join(thread[1], NULL);
    pthread_join(thread[2], NULL);
    return 0;
}
