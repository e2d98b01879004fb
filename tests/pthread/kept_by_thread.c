// Memory is not leaked that another thread has in a variable in memory which goes on, though it
// does not look at it any more, when the process ends.  Result: correct.
// -DLOST has overwritten it: memory error.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int ready;

static void *keep(void *unused)
{
    int *kept[2] = {malloc(4), NULL};
    int **volatile pointer = kept;
#ifdef LOST
    kept[0] = NULL;
#endif
    ready = 1;
    for (;;)
        pause();
    (void)pointer;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, keep, NULL);
    while (!ready) {
    }
    return 0;
}
