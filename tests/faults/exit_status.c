// main returns 3.  Result: exit status.
// -DEXIT exit in a thread: exit status.
// -DZERO ends well: correct.
// Expect: exit status
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
    (void)arg;
    exit(3);
}

int main(void)
{
#if defined EXIT
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
#elif defined ZERO
    (void)work;
    return 0;
#else
    (void)work;
    return 3;
#endif
}
