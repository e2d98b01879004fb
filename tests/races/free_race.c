// A plain read and a free in no order.  Result: data race or memory error.
// -DJOINED the free comes after the join: correct.
#include <pthread.h>
#include <stdlib.h>

static int *p;

static void *read_it(void *arg)
{
    int value = *p;
    (void)value;
    return arg;
}

int main(void)
{
    pthread_t t;
    p = calloc(1, sizeof *p);
    if (!p)
        return 0;
    pthread_create(&t, NULL, read_it, NULL);
#ifdef JOINED
    pthread_join(t, NULL);
    free(p);
#else
    free(p);
    pthread_join(t, NULL);
#endif
    return 0;
}
