// The program gives up.  Result: assertion violation.
// -DTHREAD in a thread: assertion violation.
// Expect: abort
// Expect: abort.c:@here
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
    (void)arg;
    abort(); // @here
}

int main(void)
{
#ifdef THREAD
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
#else
    work(NULL);
#endif
    return 0;
}
