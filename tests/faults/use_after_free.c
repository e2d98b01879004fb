// Reading what was freed.  Result: memory error.
// -DWRITE writes to it: memory error.
// -DREALLOC uses the old pointer after realloc has moved the object: memory error.
// -DTHREAD another thread has freed it before it ended: memory error.
// Expect: use after free
// Expect: use_after_free.c:@read
// Expect-WRITE: use_after_free.c:@write
// Expect-REALLOC: use_after_free.c:@moved
// Expect-THREAD: use_after_free.c:@thread
#include <pthread.h>
#include <stdlib.h>

#ifdef THREAD
static void *release(void *p)
{
    free(p);
    return NULL;
}
#endif

int main(void)
{
    int *p = calloc(2, sizeof *p);
    if (!p)
        return 0;
#if defined WRITE
    free(p);
    p[1] = 1; // @write
#elif defined REALLOC
    int *q = realloc(p, 100 * sizeof *p);
    *p = 1; // @moved
    free(q);
#elif defined THREAD
    pthread_t t;
    pthread_create(&t, NULL, release, p);
    pthread_join(t, NULL);
    *p = 1; // @thread
#else
    free(p);
    return *p; // @read
#endif
    return 0;
}
