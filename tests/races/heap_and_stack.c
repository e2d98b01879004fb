// A race on another thread's stack.  Result: data race.
// -DHEAP on an allocation that came through an argument: data race.
// -DLIBRARY the library writes for one of them (memset): data race.
// -DOWN each thread has a variable of its own: correct.
// -DLOCAL thread-local variables are different ones: correct.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef LOCAL
static _Thread_local int local;
#endif

static void *work(void *arg)
{
    int *p = arg;
#ifdef LOCAL
    p = &local;
#endif
#ifdef LIBRARY
    memset(p, 0, sizeof *p);
#else
    *p += 1;
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x = 0, y = 0;
    int *p = &x, *q = &x;
    (void)y;
#ifdef OWN
    q = &y;
#endif
#ifdef HEAP
    p = q = calloc(1, sizeof *p);
    if (!p)
        return 0;
#endif
    pthread_create(&a, NULL, work, p);
    pthread_create(&b, NULL, work, q);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef HEAP
    free(p);
#endif
    return 0;
}
