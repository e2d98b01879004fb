// A thread that waits in a loop allocates from the second round on, and frees what the
// last round has allocated.  Result: memory error.
// -DFREES frees in each round what the one before has allocated: correct.
// Options: --leaks=yes
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *wait(void *arg)
{
    char *p = NULL;
    for (int first = 1; !flag; first = 0)
        if (!first) {
#ifdef FREES
            free(p);
#endif
            p = malloc(1);
        }
    free(p);
    return arg;
}

static void *set(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t waiter, setter;
    pthread_create(&waiter, NULL, wait, NULL);
    pthread_create(&setter, NULL, set, NULL);
    pthread_join(waiter, NULL);
    pthread_join(setter, NULL);
    return 0;
}
