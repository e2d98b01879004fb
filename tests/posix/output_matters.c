// With --output-matters what was printed is part of the state, so that two threads that
// print do so in both orders.
//
// Options: --output-matters
// Result: correct.
// Expect: 10 states
#include <pthread.h>
#include <unistd.h>

static void *work(void *arg)
{
#ifdef ENDLESS
    for (volatile int k = 0;; k = 0)
#endif
        write(1, arg, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, "a");
    pthread_create(&b, NULL, work, "b");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
