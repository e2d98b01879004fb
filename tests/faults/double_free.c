// The same allocation is freed twice.  Result: memory error.
// -DTHREADS two threads free it, one after the other: memory error.
// Expect: double free
// Expect: double_free.c:@again
// Expect-THREADS: double free
#include <pthread.h>
#include <stdlib.h>

static void *release(void *p)
{
    free(p);
    return NULL;
}

int main(void)
{
    void *p = malloc(8);
    if (!p)
        return 0;
#ifdef THREADS
    pthread_t t;
    pthread_create(&t, NULL, release, p);
    pthread_join(t, NULL);
    release(p);
#else
    release(NULL);
    free(p);
    free(p); // @again
#endif
    return 0;
}
