// A loop waits for a flag that another thread sets: in a fair run it does.  Result: correct.
// -DTWICE: two flags, each set after the other one was seen: correct.
// -DTAKEN: it is taken back and set again for ever, and may be missed each time: livelock.
// Options: --fair
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, seen;

static void *set_flag(void *arg)
{
    flag = 1;
#ifdef TWICE
    while (!seen)
        ;
    flag = 2;
#elif defined TAKEN
    while (!seen) {
        flag = 0;
        flag = 1;
    }
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set_flag, NULL);
    while (!flag)
        ;
    seen = 1;
#ifdef TWICE
    while (flag != 2)
        ;
#endif
    pthread_join(thread, NULL);
}
